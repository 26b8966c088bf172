//! use sample
//! use winners
// A loop over the scores of a sample, a column group of prototypes at a time, that keeps the two
// winners (winners.glsl). To work without dependencies between columns, each of the four columns of
// a group has two winners of its own. scan_end() joins the four pairs.
struct Scan {
    vec4 score, group;
    vec4 other_score, other_group;
};

Scan scan_begin()
{
    return Scan(vec4(INFINITY), vec4(-1.0), vec4(INFINITY), vec4(-1.0));
}

void keep_less(inout vec4 least, inout vec4 least_group, vec4 score, int group)
{
    bvec4 is_less = lessThan(score, least);
    least = mix(least, score, is_less);
    least_group = mix(least_group, vec4(group), is_less);
}

// Takes the scores of a column group. `classes` has the classes of its prototypes, `label` is the
// class of the sample.
void scan_add(inout Scan scan, vec4 score, vec4 classes, float label, int group)
{
#if LABELLED
    bvec4 is_own = equal(classes, vec4(label));
    keep_less(scan.score, scan.group, mix(vec4(INFINITY), score, is_own), group);
    keep_less(scan.other_score, scan.other_group, mix(score, vec4(INFINITY), is_own), group);
#else
    // A new first moves the former first to the second place. It comes before equal scores, because
    // its index is lower.
    bvec4 is_less = lessThan(score, scan.score);
    keep_less(scan.other_score, scan.other_group, score, group);
    scan.other_score = mix(scan.other_score, scan.score, is_less);
    scan.other_group = mix(scan.other_group, scan.group, is_less);
    scan.score = mix(scan.score, score, is_less);
    scan.group = mix(scan.group, vec4(group), is_less);
#endif
}

float index_of(float group, int component)
{
    return group < 0.0 ? -1.0 : 4.0 * group + float(component);
}

vec4 scan_end(Scan scan)
{
    vec4 result = NONE;
    for (int c = 0; c < 4; ++c)
        result = join(result, vec4(index_of(scan.group[c], c), scan.score[c],
                                   index_of(scan.other_group[c], c), scan.other_score[c]));
    return result;
}

// The scores of a column group, with infinity after the last prototype.
vec4 before_end(vec4 score, int group, int prototypes)
{
    return mix(vec4(INFINITY), score,
               lessThan(ivec4(4 * group) + ivec4(0, 1, 2, 3), ivec4(prototypes)));
}

// The class of the sample of a row.
float label_of(int row)
{
#if LABELLED
    return TARGET_element(sample_of(row), 0);
#else
    return 0.0;
#endif
}

// The classes of the prototypes of a column group.
vec4 classes_of(int group)
{
#if LABELLED
    return CLASSES_edge_group(0, group);
#else
    return vec4(0.0);
#endif
}
