/** @file
 *  @ingroup glnn_learners
 *  @brief The fields of descriptions by name: their types, defaults and ranges, and values as text.
 *
 *  Programs in C fill in a description such as ::glnn_lvq_desc by themselves. A binding for another
 *  language, a file of settings or a command line can list the fields of a description instead, and
 *  set one by its name and a text:
 *
 *      glnn_lvq_desc desc = {0};
 *      glnn_field_set(GLNN_DESCRIPTION_LVQ, &desc, "kind", "gmlvq");
 *      glnn_field_set(GLNN_DESCRIPTION_LVQ, &desc, "metric_rate", "0.02");
 *
 *  Fields of a structure inside of a description have names with a dot: "optimizer.momentum",
 *  "schedule.rate", "exchange.every". Pointers, functions and the layers of a network are
 *  left out. Layers and outputs are descriptions of their own, ::GLNN_DESCRIPTION_LAYER and
 *  ::GLNN_DESCRIPTION_OUTPUT.
 *
 *  The library checks descriptions by the same tables, so names, defaults and ranges are those of
 *  errors. Ranges that depend on other fields, such as a rank of at most as many as features, are
 *  checked when a learner is made. */
#ifndef GLNN_FIELDS_H
#define GLNN_FIELDS_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_learners
 *  @{ */

/** A kind of description. @since 0.2 */
typedef enum glnn_description {
    GLNN_DESCRIPTION_NETWORK = 0, /**< ::glnn_network_desc without its layers */
    GLNN_DESCRIPTION_LAYER,       /**< ::glnn_layer_desc                      */
    GLNN_DESCRIPTION_OUTPUT,      /**< ::glnn_output_desc                     */
    GLNN_DESCRIPTION_OPTIMIZER,   /**< ::glnn_optimizer                       */
    GLNN_DESCRIPTION_LVQ,         /**< ::glnn_lvq_desc                        */
    GLNN_DESCRIPTION_KMEANS,      /**< ::glnn_kmeans_desc                     */
    GLNN_DESCRIPTION_GMM,         /**< ::glnn_gmm_desc                        */
    GLNN_DESCRIPTION_SVM,         /**< ::glnn_svm_desc                        */
    GLNN_DESCRIPTION_TRAIN,       /**< ::glnn_train_desc                      */
    GLNN_DESCRIPTION_COUNT
} glnn_description;

/** The name of a description: "network", "layer", "output", "optimizer", "lvq", "kmeans", "gmm",
 * "svm", "train". @since 0.2 */
GLNN_API const char *glnn_description_name(glnn_description description);

/** The description with a name. @since 0.2 */
GLNN_API glnn_status glnn_description_from_name(const char *name, glnn_description *out);

/** The type of a field in C. @since 0.2 */
typedef enum glnn_field_type {
    GLNN_FIELD_INT = 0, /**< int                                                   */
    GLNN_FIELD_FLOAT,   /**< float                                                 */
    GLNN_FIELD_DOUBLE,  /**< double                                                */
    GLNN_FIELD_UINT64,  /**< uint64_t                                              */
    GLNN_FIELD_BOOL,    /**< bool; as text "true" or "false"                       */
    GLNN_FIELD_CHOICE,  /**< an enumeration of the size of an int; as text a name  */
    GLNN_FIELD_TYPE_COUNT
} glnn_field_type;

/** The name of a type: "int", "float", "double", "uint64", "bool", "choice". @since 0.2 */
GLNN_API const char *glnn_field_type_name(glnn_field_type type);

/** The type with a name. @since 0.2 */
GLNN_API glnn_status glnn_field_type_from_name(const char *name, glnn_field_type *out);

/** A field of a description. The names of choices are constants. @since 0.2 */
typedef struct glnn_field {
    size_t size;          /**< in: sizeof(glnn_field)                                            */
    char name[40];        /**< "momentum", "schedule.rate"                                       */
    glnn_field_type type; /**< of the member of the structure                                    */
    size_t offset;        /**< of this member in the structure, in bytes                         */

    /** The meaning of zeros, for sentences: a value such as "0.9" or "sgd", or words such as "one
     * found from the data". "" where a description has to have a value of its own. */
    char standard[80];
    char range[256]; /**< the values that are allowed: "a number in [0, 1)"                      */

    double least; /**< INT, FLOAT, DOUBLE: the lower end of the range; infinite: none            */
    double most;  /**< the same for the upper end                                                */
    bool above;   /**< `least` itself is not allowed                                             */
    bool below;   /**< `most` itself is not allowed                                              */
    bool takes_zero;            /**< 0 is allowed, as in the range or as the default             */
    const char *const *choices; /**< CHOICE: the names, by value; otherwise NULL                 */
    int choice_count;           /**< CHOICE: their number; otherwise 0                           */
} glnn_field;

/** The number of fields of a description; 0 if the description is unknown.
 *
 * @thread any.
 * @since  0.2 */
GLNN_API int glnn_field_get_count(glnn_description description);

/** Describes a field of a description by its place, from 0 to glnn_field_get_count() - 1.
 *
 * @errors GLNN_E_ARG a null pointer, an unknown description, a place out of that range, or a
 *                    size that no version of ::glnn_field had.
 * @errors GLNN_E_NOMEM no memory for the locale of numbers.
 * @thread any.
 * @since  0.2 */
GLNN_API glnn_status glnn_field_at(glnn_description description, int place, glnn_field *out);

/** Describes the field of a description with a name.
 *
 * @errors GLNN_E_ARG a null pointer, an unknown description, or a size that no version of
 *                    ::glnn_field had; a name that the description does not have. The sentence then
 *                    has a similar name if there is one.
 * @errors GLNN_E_NOMEM no memory for the locale of numbers.
 * @thread any.
 * @since  0.2 */
GLNN_API glnn_status glnn_field_find(glnn_description description, const char *name,
                                     glnn_field *out);

/** Sets a field of a description by its name and a text: a decimal number with a point, the name of
 * a choice, "true" or "false". 0 where that is the default leaves the choice to the library.
 *
 * @param desc the structure of that description; only the field changes, and only on success.
 * @errors GLNN_E_ARG a null pointer, an unknown description or name, or a text that is not a value
 *                    in the field's range. The sentence has the range.
 * @errors GLNN_E_NOMEM no memory for the locale of numbers.
 * @thread any; one at a time for each `desc`.
 * @since  0.2 */
GLNN_API glnn_status glnn_field_set(glnn_description description, void *desc, const char *name,
                                    const char *text);

/** Writes the value of a field as a text that glnn_field_set() reads back to the same value. A
 * choice that has no name is "unknown".
 *
 * @param room bytes of `text`, with the 0 at its end; 64 are enough.
 * @errors GLNN_E_ARG a null pointer, an unknown description or name, or too little room.
 * @errors GLNN_E_NOMEM no memory for the locale of numbers.
 * @thread any.
 * @since  0.2 */
GLNN_API glnn_status glnn_field_get(glnn_description description, const void *desc,
                                    const char *name, char *text, size_t room);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
