/* The program train on tables as they are: with texts, categories, dates and missing values. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/folder.h"
#include "support/trainer.h"

#include "../examples/common/random.h"

static void assert_said(const char *part)
{
    if (strstr(said, part) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", said, part);
}

/* Passengers of a ship, of whom women and those of the first class were saved more often. Names,
 * tickets and most cabins are all different, and ages and ports are missing in places. */
static void write_passengers(const char *path, int rows, uint64_t seed)
{
    static const char *const ports[] = {"Southampton", "Southampton", "Cherbourg", "Queenstown",
                                        ""};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("PassengerId,Name,Sex,Class,Age,Boarded,Ticket,Fare,Cabin,Port,Saved\n", file);
    for (int i = 0; i < rows; ++i) {
        const bool is_woman = random_below(&seed, 100) < 38;
        const int class = 1 + (random_below(&seed, 100) + 60) / 70, age = random_below(&seed, 70);
        const int port = random_below(&seed, i % 50 == 0 ? 5 : 4);
        const int chance = (is_woman ? 88 : 12) + 6 * (2 - class) + (age < 10 ? 10 : 0);
        char age_text[16] = "";
        if (random_below(&seed, 100) < 80)
            sprintf(age_text, "%d", age);
        fprintf(file, "%d,\"Doe, %c%d\",%s,%s,%s,1912-04-%02d,%s%d,%.2f,%s%.0d,%s,%s\n", i + 1,
                'A' + i % 26, i, is_woman ? "female" : "male",
                class == 1   ? "first"
                : class == 2 ? "second"
                             : "third",
                age_text, 1 + i % 10, i % 4 ? "" : "A/", 1000 + i * 7,
                60.0 / class + random_below(&seed, 20), i % 5 ? "" : "C", i % 5 ? 0 : i,
                ports[port], random_below(&seed, 100) < chance ? "yes" : "no");
    }
    assert_int_equal(fclose(file), 0);
}

static double accuracy_of(const char *options)
{
    char line[512];
    snprintf(line, sizeof line,
             "--data p.csv --missing fill --standardise --hidden 16 --epochs 60 --rate 0.05 %s",
             options);
    does(line);
    return printed("test accuracy ");
}

static void categories_tell_more_than_numbers_alone(void **state)
{
    (void)state;
    write_passengers("p.csv", 900, 7);
    const double numbers = accuracy_of("--type Sex=text,Class=text,Port=text,Boarded=text");
    const double one_hot = accuracy_of(""), ordinal = accuracy_of("--encode ordinal");
    printf("numbers %.2f %%, one-hot %.2f %%, ordinal %.2f %%\n", numbers, one_hot, ordinal);
    assert_true(one_hot > numbers + 15 && ordinal > numbers + 15);
}

static void each_column_has_a_line(void **state)
{
    (void)state;
    write_passengers("p.csv", 900, 7);
    does("--data p.csv --missing indicator --epochs 1");
    assert_said("17 features, 2 classes\nlabel      column 'Saved'\n"
                "column     Sex: category, 2 features: female, male\n"
                "column     Class: category, 3 features: first, second, third\n"
                "column     Age: number, 2 features: value, is missing\n"
                "column     Boarded: date, 5 features: days, cycles of year and week\n"
                "column     Fare: number\n"
                "column     Port: category, 4 features: Cherbourg, Queenstown, Southampton, is "
                "missing\n");
    assert_said("\nclasses    no 416, yes 305 for training\n");
    assert_said("column     PassengerId: only numbers the rows, left out; --type "
                "'PassengerId=number' keeps it\n"
                "column     Name: text, left out; --type 'Name=category' makes it a category\n");
    fails("--data p.csv --missing fill --type Fare=text,Age=day --epochs 1",
          "--type 'Age=day': the type is number, category, date, text", "one_hot or ordinal");
    does("--data p.csv --missing category --type Fare=text,Class=ordinal --rare 0.3 --epochs 1");
    assert_said("column     Class: category, 1 feature: the number of second, other");
    assert_said("Southampton, other");
    assert_said("column     Fare: text, left out");
    fails("--data p.csv --missing fill --type Fare=text,11=category --epochs 1",
          "p.csv: line 1: column 11 ('Saved') is the label, so no type can be chosen for it", "");
    fails("--data p.csv --missing fill --type Age=number,5=category --epochs 1",
          "p.csv: line 1: there are two choices for column 5 ('Age')", "");
    fails("--data p.csv --epochs 1", "column 5 ('Age'): the value is missing (''), and so in ",
          "use --missing drop, fill, indicator or category");
    fails("--data p.csv --missing fill --type fare=text --epochs 1",
          "no column is named 'fare'; did you mean 'Fare'?", "p.csv");
}

static void a_model_prepares_a_new_table_as_its_own(void **state)
{
    (void)state;
    write_passengers("p.csv", 400, 7);
    does("--data p.csv --missing indicator --standardise --epochs 3 --save m");
    does("--load m --data p.csv --predict a");
    assert_int_equal(count_lines("a"), 401);
    /* The columns in another order, without those that are not used, and unknown categories. */
    assert_int_equal(system("python3 -c \"import csv\n"
                            "rows = list(csv.DictReader(open('p.csv')))\n"
                            "names = ['Port', 'Boarded', 'Fare', 'Age', 'Class', 'Sex']\n"
                            "out = csv.writer(open('n.csv', 'w'))\n"
                            "out.writerow(names)\n"
                            "for row in rows: out.writerow([row[name] for name in names])\""),
                     0);
    does("--load m --data n.csv --label none --predict b");
    assert_int_equal(system("cmp a b"), 0);
    assert_int_equal(system("sed -i 's/Queenstown/Belfast/' n.csv"), 0);
    does("--load m --data n.csv --label none --predict c");
    assert_said("values of the test are of a category that training has not seen, or has pooled "
                "with others: 'Port' ");
    refuses("--load m --data n.csv --type Age=text", "m of --load already fixes --type", "");
    refuses("--load m --data n.csv --missing refuse",
            "--missing refuse and --load m: the model "
            "treats missing values as in its training",
            "--missing drop");
    refuses("--data n.csv --type Age=text --type Fare=text", "--type is given twice",
            "commas separate its values: --type 'Age=text,Fare=text'");
    refuses("--load m --data n.csv --encode ordinal", "m of --load already fixes --encode", "");
}

/* Columns of numbers and of texts with gaps, one that is constant, one whose categories are all
 * rare, and a class of one row. */
static void write_gaps(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("number,text,same,tag,day,kind\n", file);
    for (int i = 0; i < 200; ++i)
        fprintf(file, "%s%.0d,%s,7,t%d,2024-%02d-%02d,%s\n", i % 10 ? "" : "NA", i % 10 ? i : 0,
                i % 4   ? "rough"
                : i % 8 ? "smooth"
                        : "",
                i / 2, 1 + i % 12, 1 + i % 28,
                i == 7  ? "ash"
                : i % 2 ? "oak"
                        : "elm");
    assert_int_equal(fclose(file), 0);
}

static void a_note_names_the_text_that_may_mean_a_missing_value(void **state)
{
    (void)state;
    FILE *file = fopen("o.csv", "w");
    assert_non_null(file);
    fputs("a,b,none,k\n", file);
    for (int i = 0; i < 200; ++i)
        if (i % 5)
            fprintf(file, "%d,%d,,%s\n", 3 * i, i % 7, i % 2 ? "x" : "y");
        else
            fprintf(file, "lost,%d,-,%s\n", i % 7, i % 2 ? "x" : "y");
    assert_int_equal(fclose(file), 0);
    does("--data o.csv --epochs 1");
    assert_said("column     none: no value, left out\n");
    assert_said("column     a: text, left out\n");
    assert_said("note: most fields of 'a' are numbers, but 40 are 'lost', so its type is text; if "
                "this means a missing value, leave the fields empty\n");
    assert_int_equal(system("sed -i 's/^lost/N\\/A/' o.csv"), 0);
    does("--data o.csv --missing fill --epochs 1");
    assert_said("column     a: number\n");
    assert_said(
        "40 missing values of all samples became the mean of the column in training: 'a' 40\n");
}

static void a_note_says_what_missing_values_became(void **state)
{
    (void)state;
    write_gaps("g.csv");
    does("--data g.csv --missing fill --type tag=category --epochs 1");
    assert_said(
        "note: 20 missing values of all samples became the mean of the column in training: "
        "'number' 20\n"
        "note: 25 missing values of all samples became the most frequent category of the column in "
        "training: 'text' 25\n");
    does("--data g.csv --missing category --epochs 1 --save m");
    assert_said("the mean of the column in training: 'number' 20\n"
                "note: 25 missing values of all samples became the category missing of the column: "
                "'text' 25\n");
    does("--data g.csv --missing indicator --epochs 1");
    assert_said("note: 20 missing values of all samples became the mean of the column in training, "
                "and a feature "
                "marks them: 'number' 20\n"
                "note: 25 missing values of all samples became no category, and a feature of the "
                "column marks "
                "them: 'text' 25\n");
    does("--load m --data g.csv");
    assert_said("note: 25 missing values of all samples became the category missing of the column: "
                "'text' 25\n");
    assert_null(strstr(said, "one value in all"));
}

static void columns_and_classes_that_teach_nothing_have_a_note(void **state)
{
    static const char *const notes =
        "note: 1 column has one value in all training samples, so the model learns nothing from "
        "it; --drop leaves columns out: 'same'\n";
    (void)state;
    write_gaps("g.csv");
    does("--data g.csv --missing category --type tag=category --rare 0.05 --epochs 1");
    assert_said(notes);
    assert_said("note: all categories of 1 column are rare and became one, other; a lower --rare "
                "keeps them: 'tag'\n");
    assert_said("note: only one sample for training has the class 'ash'; a model learns no class "
                "from one\n");
    /* The same of a table that stays in its file. */
    does("--data g.csv --missing category --budget 1 --epochs 1");
    assert_said(notes);
    assert_null(strstr(said, "are rare and became"));
    does("--data g.csv --missing category --drop same,tag --holdout 0.5 --epochs 1");
    assert_null(strstr(said, "one value in all"));
}

static void dates_can_be_plain_days(void **state)
{
    (void)state;
    write_gaps("g.csv");
    does("--data g.csv --missing fill --epochs 1");
    assert_said("column     day: date, 5 features: days, cycles of year and week\n");
    does("--data g.csv --missing fill --type day=days --epochs 1");
    assert_said("column     day: date, 1 feature: days\n");
}

static void tables_of_categories_stream_and_resume_with_the_same_bits(void **state)
{
    static const char *const how = "--data p.csv --missing indicator --standardise --hidden 8 "
                                   "--epochs 2 --batch 50";
    char line[512];
    (void)state;
    write_passengers("p.csv", 20000, 3);
    snprintf(line, sizeof line, "%s --save a", how);
    does(line);
    assert_null(strstr(said, "\nstream "));
    snprintf(line, sizeof line, "%s --save b --budget 1", how);
    does(line);
    assert_said("\nstream ");
    assert_int_equal(system("cmp a b"), 0);
    snprintf(line, sizeof line, "%s --save c --checkpoint state --every 1", how);
    does(line);
    assert_int_equal(rename("state.1", "state"), 0);
    snprintf(line, sizeof line, "%s --save d --checkpoint state --every 1 --resume", how);
    does(line);
    assert_said("resumed    state: after step ");
    assert_int_equal(system("cmp a d"), 0);
    /* Other encodings of the same table are other samples. */
    snprintf(line, sizeof line, "%s --rare 0.3 --checkpoint state --every 1 --resume", how);
    fails(line, "checkpoint belongs to", "--resume needs the samples and options");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(categories_tell_more_than_numbers_alone),
        IN_FOLDER(each_column_has_a_line),
        IN_FOLDER(a_model_prepares_a_new_table_as_its_own),
        IN_FOLDER(a_note_names_the_text_that_may_mean_a_missing_value),
        IN_FOLDER(a_note_says_what_missing_values_became),
        IN_FOLDER(columns_and_classes_that_teach_nothing_have_a_note),
        IN_FOLDER(dates_can_be_plain_days),
        IN_FOLDER(tables_of_categories_stream_and_resume_with_the_same_bits),
    };
    return trainer_find("train") || cmocka_run_group_tests(tests, NULL, NULL);
}
