// Columns of tables, which are fitted and encode rows, and scales of features, by functions of C.
import { Block, withScope } from './native.js';

const longestName = 160; // GLNN_CSV_FEATURE_NAME

/** The functions of a module that need no context. Rows follow from the length of an array. */
export function tableFunctions(native) {
  const rowsOf = (numbers, width) => Math.floor(numbers.length / width);

  function csvColumnsFit(columns, desc, values) {
    const unfitted = { ...columns, features: 0,
      of: (columns.of ?? []).map(of => ({ ...of, features: 0, codes: null })) };
    return withScope(native, scope => {
      const place = native.structure('glnn_csv_columns', unfitted, scope, 'csvColumnsFit: columns');
      const numbers = native.array('float', values, values.length, scope, 'csvColumnsFit: values');
      try {
        native.call('glnn_csv_columns_fit', [new Block(place), desc, rowsOf(values, columns.featureColumns), numbers]);
        return native.read('glnn_csv_columns', place);
      } finally {
        for (const column of native.placesIn('glnn_csv_columns', 'of', unfitted.of.length, place))
          native.module._free(native.wordIn('glnn_csv_column', 'codes', column));
      }
    });
  }

  function csvColumnsEncode(columns, values) {
    const rows = rowsOf(values, columns.featureColumns), count = rows * columns.features;
    return withScope(native, scope => {
      const numbers = native.array('float', values, values.length, scope, 'csvColumnsEncode: values');
      const inputs = native.room('float', count, scope), unknown = native.room('int64_t', 1, scope);
      native.call('glnn_csv_columns_encode', [columns, rows, numbers, inputs, unknown]);
      const [unknownValues] = native.numbers('int64_t', unknown, 1);
      return { inputs: native.numbers('float', inputs, count), unknown: Number(unknownValues) };
    });
  }

  function csvColumnsParse(columns, fields) {
    return withScope(native, scope => {
      const values = native.room('float', columns.featureColumns, scope);
      native.checkLength(fields, columns.featureColumns, 'csvColumnsParse: fields');
      native.call('glnn_csv_columns_parse', [columns, new Block(native.strings(fields, scope)), values]);
      return native.numbers('float', values, columns.featureColumns);
    });
  }

  function csvColumnsNameFeature(columns, feature) {
    return withScope(native, scope => {
      const text = scope.allocate(longestName);
      native.call('glnn_csv_columns_name_feature', [columns, feature, new Block(text)]);
      return native.text(text);
    });
  }

  function scaleFit(kind, features, samples) {
    return withScope(native, scope => native.call('glnn_scale_fit', [kind, rowsOf(samples, features), features,
      native.array('float', samples, samples.length, scope, 'scaleFit: samples')]));
  }

  const scaleBy = name => (scale, samples) => withScope(native, scope => {
    const numbers = native.array('float', samples, samples.length, scope, `${name}: samples`);
    native.call(name, [scale, rowsOf(samples, scale.features), scale.features, numbers]);
    return native.numbers('float', numbers, samples.length);
  });

  return { csvColumnsFit, csvColumnsEncode, csvColumnsParse, csvColumnsNameFeature, scaleFit,
    scaleApply: scaleBy('glnn_scale_apply'), scaleUndo: scaleBy('glnn_scale_undo') };
}
