#!/bin/sh
# bench/plot/tables.sh [RESULTS] - the tables of docs/performance.md from the CSV files that the
# benchmarks wrote into RESULTS (build/bench), to standard output.
set -eu

results=${1-build/bench}

# pivot CSV CONDITION ROW COLUMN VALUE CORNER: a table of VALUE with a row for each ROW and a column
# for each COLUMN in the order of the file. All but the first and last are expressions of awk in
# f["name of a column"]; a VALUE is text, or what number() makes of a number.
pivot()
{
    [ -s "$results/$1.csv" ] || return 0
    awk -v corner="$6" '
    # Splits a line into f by the names of the columns; quotes keep commas together.
    function split_line(line, fields, n, i, c, quoted) {
        n = 1
        fields[1] = ""
        for (i = 1; i <= length(line); ++i) {
            c = substr(line, i, 1)
            if (c == "\"")
                quoted = !quoted
            else if (c == "," && !quoted)
                fields[++n] = ""
            else
                fields[n] = fields[n] c
        }
        return n
    }
    # Three digits, and spaces between thousands from five digits on.
    function number(x, text, out) {
        if (x == "")
            return ""
        x += 0
        if (x < 9999.5)
            return sprintf(x < 9.995 ? "%.2f" : x < 99.95 ? "%.1f" : "%.0f", x)
        text = sprintf("%.0f", x)
        while (length(text) > 3) {
            out = " " substr(text, length(text) - 2) out
            text = substr(text, 1, length(text) - 3)
        }
        return text out
    }
    NR == 1 {
        count = split_line($0, names)
        next
    }
    {
        split_line($0, values)
        for (i = 1; i <= count; ++i)
            f[names[i]] = values[i] ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/ ? values[i] + 0 : values[i]
        if (!('"$2"'))
            next
        row = '"$3"'
        column = '"$4"'
        if (!(row in seen_row))
            rows[++row_count] = row
        if (!(column in seen_column))
            columns[++column_count] = column
        seen_row[row] = seen_column[column] = 1
        cell[row, column] = '"$5"'
    }
    END {
        if (!row_count)
            exit
        printf "| %s |", corner
        for (j = 1; j <= column_count; ++j)
            printf " %s |", columns[j]
        printf "\n|"
        for (j = 0; j <= column_count; ++j)
            printf "---|"
        print ""
        for (i = 1; i <= row_count; ++i) {
            printf "| %s |", rows[i]
            for (j = 1; j <= column_count; ++j)
                printf " %s |", cell[rows[i], columns[j]]
            print ""
        }
        print ""
    }' "$results/$1.csv"
}

moved='number(f["gbytes"]) " (" sprintf("%.0f", f["copy_percent"]) " %)"'
large='f["m"] == 2048 && f["n"] == 2048 && f["copy_percent"] != "" && f["who"] !~ /float16/'

pivot limits 1 'f["limit"]' '"value"' 'number(f["value"]) " " f["unit"]' limit
pivot gemm 'f["operation"] == "gemm_nn" && f["m"] == f["n"] && f["n"] == f["k"] && f["m"] >= 128' \
    'f["who"]' 'f["m"]' 'number(f["gflops"])' 'matrix product, GFLOP/s'
pivot gemm 'f["operation"] ~ /^gemm/ && f["who"] ~ /^tiled/ && f["m"] == 1024 && f["k"] == 1024' \
    'f["operation"] " " f["who"]' '"GFLOP/s"' \
    'number(f["gflops"]) ", " number(f["fetch_percent"]) " % of the fetch limit, " \
     number(f["peak_percent"]) " % of the peak"' \
    '1024 x 1024 x 1024'
pivot mlp 'f["momentum"] > 0' 'f["who"]' \
    '"784-" f["hidden"] "-10, batch " f["patterns"]' 'number(f["samples_per_s"])' \
    'training with momentum, samples a second'
pivot mlp 'f["momentum"] == 0 && f["who"] ~ /^(tiled|packed|unpacked)/' 'f["who"]' \
    '"784-" f["hidden"] "-10, batch " f["patterns"]' 'number(f["step_us"])' \
    'plain descent, us a step'
pivot inference 1 'f["who"]' '"784-" f["hidden"] "-10"' 'number(f["median_us"])' \
    'one sample through the net, us'
pivot packing 1 'f["scheme"]' '"us packed, unpacked: times as fast (quartiles)"' \
    'number(f["packed_us"]) ", " number(f["unpacked_us"]) ": " number(f["times_as_fast"]) \
     "x (" number(f["low"]) " to " number(f["high"]) ")"' \
    'net 2-64-1, 1024 patterns'
pivot backprop 'f["figure"] == "packing"' 'f["who"]' '"us a step, passes"' \
    'number(f["step_us"]) (f["passes"] != "" ? ", " sprintf("%.0f", f["passes"]) : "")' \
    'net 2-64-1, 1024 patterns'
for table in map reduce; do
    pivot $table "$large" 'f["operation"]' 'f["who"]' "$moved" \
        '2048 x 2048, GB/s moved at least (percent of the copy pass)'
done
compared='f["m"] == 1024 && f["n"] >= 1024 && f["copy_percent"] != "" && f["who"] !~ /float16/'
for table in map reduce; do
    pivot $table "$compared" 'f["operation"] ", " f["m"] " x " f["n"]' 'f["who"]' \
        'number(f["median_us"])' 'us'
done
for prototypes in 1 8; do
    pivot lvq "f[\"prototypes\"] == $prototypes" 'f["who"]' '"batch " f["batch"]' \
        'number(f["samples_per_s"]) " (" number(f["times_c"]) "x)"' \
        "GLVQ, 3755 classes x 160, $prototypes a class: samples a second (times plain C)"
done
pivot start 1 'f["until"]' 'f["caches"] " caches"' 'number(f["median_ms"])' \
    'ms from the start of the process until'
