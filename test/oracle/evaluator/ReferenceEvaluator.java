import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.stream.JsonWriter;
import com.google.zetasql.AnalyzerOptions;
import com.google.zetasql.IntervalValue;
import com.google.zetasql.LanguageOptions;
import com.google.zetasql.PreparedQuery;
import com.google.zetasql.SimpleCatalog;
import com.google.zetasql.SimpleColumn;
import com.google.zetasql.Type;
import com.google.zetasql.Value;
import com.google.zetasql.ZetaSQLBuiltinFunctionOptions;
import com.google.zetasql.ZetaSQLOptions.LanguageFeature;
import com.google.zetasql.ZetaSQLOptions.ProductMode;
import com.google.zetasql.io.grpc.StatusRuntimeException;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Runs queries with the reference implementation of GoogleSQL. A line of standard input is a JSON object with {@code id} and {@code sql}; a
 * line of standard output is one with the same {@code id}, and {@code columns} and {@code rows}, or {@code error} and its {@code code}. Values have the
 * same form for every type: text, an array, or null.
 */
class ReferenceEvaluator {
  /** What the reference implementation can do and BigQuery cannot. */
  static final Set<LanguageFeature> NOT_IN_BIGQUERY =
      Set.of(
          LanguageFeature.FEATURE_TIMESTAMP_NANOS,
          LanguageFeature.FEATURE_TIMESTAMP_PICO_TYPE,
          LanguageFeature.FEATURE_V_1_3_ARRAY_ORDERING,
          LanguageFeature.FEATURE_V_1_3_ARRAY_GREATEST_LEAST,
          LanguageFeature.FEATURE_V_1_3_INLINE_LAMBDA_ARGUMENT,
          LanguageFeature.FEATURE_V_1_3_WITH_GROUP_ROWS,
          LanguageFeature.FEATURE_V_1_4_ARRAY_AGGREGATION_FUNCTIONS,
          LanguageFeature.FEATURE_V_1_4_ARRAY_FIND_FUNCTIONS,
          LanguageFeature.FEATURE_V_1_4_STRUCT_POSITIONAL_ACCESSOR,
          LanguageFeature.FEATURE_V_1_4_SQL_GRAPH,
          LanguageFeature.FEATURE_V_1_4_MAP_TYPE,
          LanguageFeature.FEATURE_V_1_4_UUID_TYPE,
          LanguageFeature.FEATURE_V_1_4_MULTILEVEL_AGGREGATION,
          LanguageFeature.FEATURE_TEST_IDEALLY_ENABLED_BUT_IN_DEVELOPMENT,
          LanguageFeature.FEATURE_TEST_IDEALLY_DISABLED,
          LanguageFeature.FEATURE_TEST_IDEALLY_DISABLED_AND_IN_DEVELOPMENT);

  /** Features that are off unless asked for, and that BigQuery has. */
  static final Set<LanguageFeature> IN_BIGQUERY =
      Set.of(
          LanguageFeature.FEATURE_INTERVAL_TYPE,
          LanguageFeature.FEATURE_INVERSE_TRIG_FUNCTIONS,
          LanguageFeature.FEATURE_DISABLE_ARRAY_MIN_AND_MAX,
          LanguageFeature.FEATURE_DISABLE_ARRAY_SUM_AND_AVG,
          LanguageFeature.FEATURE_V_1_4_DISABLE_FLOAT32,
          LanguageFeature.FEATURE_V_1_4_ENABLE_EDIT_DISTANCE_BYTES,
          LanguageFeature.FEATURE_V_1_4_ENFORCE_CONDITIONAL_EVALUATION,
          LanguageFeature.FEATURE_V_1_4_LIKE_ANY_SOME_ALL_ARRAY,
          LanguageFeature.FEATURE_V_1_4_LIKE_ANY_SOME_ALL_SUBQUERY,
          LanguageFeature.FEATURE_V_1_4_OPT_IN_NEW_BEHAVIOR_NOT_LIKE_ANY_SOME_ALL);

  public static void main(String[] arguments) throws IOException {
    // Whatever native code prints must not stand between the answers.
    PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    System.setOut(System.err);
    AnalyzerOptions options = new AnalyzerOptions();
    options.setLanguageOptions(language());
    options.setDefaultTimezone("UTC");
    SimpleCatalog catalog = new SimpleCatalog("catalog");
    catalog.addZetaSQLFunctionsAndTypes(new ZetaSQLBuiltinFunctionOptions(options.getLanguageOptions()));
    try (var registered = catalog.register();
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = questions.readLine(); line != null; line = questions.readLine()) {
        JsonObject question = JsonParser.parseString(line).getAsJsonObject();
        answers.println(answer(question.get("id").getAsLong(), question.get("sql").getAsString(), options, catalog));
        answers.flush();
      }
    }
  }

  static LanguageOptions language() {
    LanguageOptions language = new LanguageOptions();
    language.enableMaximumLanguageFeatures();
    language.setProductMode(ProductMode.PRODUCT_EXTERNAL);
    Set<LanguageFeature> enabled = new HashSet<>();
    for (LanguageFeature feature : LanguageFeature.values())
      if (feature != LanguageFeature.__LanguageFeature__switch_must_have_a_default__
          && language.languageFeatureEnabled(feature)
          && !NOT_IN_BIGQUERY.contains(feature)) enabled.add(feature);
    enabled.addAll(IN_BIGQUERY);
    language.setEnabledLanguageFeatures(enabled);
    // BigQuery reserves QUALIFY.
    language.enableReservableKeyword("QUALIFY");
    return language;
  }

  static String answer(long id, String sql, AnalyzerOptions options, SimpleCatalog catalog) throws IOException {
    StringWriter text = new StringWriter();
    JsonWriter json = new JsonWriter(text);
    json.beginObject().name("id").value(id);
    try (PreparedQuery query =
        PreparedQuery.builder().setSql(sql).setAnalyzerOptions(options).setCatalog(catalog).prepare()) {
      List<? extends List<Value>> rows = query.execute(Map.of()).getTableData();
      json.name("columns").beginArray();
      for (SimpleColumn column : query.getColumns())
        json.beginArray()
            .value(column.getName())
            .value(typeText(column.getType()))
            .endArray();
      json.endArray().name("rows").beginArray();
      for (List<Value> row : rows) {
        json.beginArray();
        for (Value value : row) write(value, json);
        json.endArray();
      }
      json.endArray();
    } catch (RuntimeException e) {
      text = new StringWriter();
      json = new JsonWriter(text);
      json.beginObject().name("id").value(id);
      String code = e.getCause() instanceof StatusRuntimeException cause ? cause.getStatus().getCode().name() : "UNKNOWN";
      json.name("code").value(code).name("error").value(String.valueOf(e.getMessage()));
    }
    json.endObject();
    return text.toString();
  }

  /** The type as GoogleSQL writes it; the library's own text fails on structs. */
  static String typeText(Type type) {
    if (type.isArray()) return "ARRAY<" + typeText(type.asArray().getElementType()) + ">";
    if (!type.isStruct()) return type.typeName(ProductMode.PRODUCT_EXTERNAL);
    return type.asStruct().getFieldList().stream()
        .map(field -> (field.getName().isEmpty() ? "" : field.getName() + " ") + typeText(field.getType()))
        .collect(Collectors.joining(", ", "STRUCT<", ">"));
  }

  static void write(Value value, JsonWriter json) throws IOException {
    if (value.isNull()) {
      json.nullValue();
      return;
    }
    switch (value.getType().getKind()) {
      case TYPE_BOOL -> json.value(String.valueOf(value.getBoolValue()));
      case TYPE_INT64 -> json.value(String.valueOf(value.getInt64Value()));
      case TYPE_DOUBLE -> json.value(String.valueOf(value.getDoubleValue()));
      case TYPE_NUMERIC -> json.value(value.getNumericValue().stripTrailingZeros().toPlainString());
      case TYPE_BIGNUMERIC -> json.value(value.getBigNumericValue().stripTrailingZeros().toPlainString());
      case TYPE_STRING -> json.value(value.getStringValue());
      case TYPE_BYTES -> json.value(Base64.getEncoder().encodeToString(value.getBytesValue().toByteArray()));
      case TYPE_DATE -> json.value(String.valueOf(value.getDateValue()));
      case TYPE_TIMESTAMP -> json.value(String.valueOf(value.getTimestampUnixMicros()));
      case TYPE_DATETIME -> json.value(value.getLocalDateTimeValue().toString());
      case TYPE_TIME -> json.value(value.getLocalTimeValue().toString());
      case TYPE_INTERVAL -> json.value(intervalText(value.getIntervalValue()));
      case TYPE_JSON -> json.value(value.getJsonValue());
      case TYPE_ARRAY -> writeAll(value.getElementList(), json);
      case TYPE_STRUCT -> writeAll(value.getFieldList(), json);
      default -> throw new IllegalStateException("no form for " + value.getType().debugString());
    }
  }

  /** The interval as a cast to STRING writes it. */
  static String intervalText(IntervalValue interval) {
    long months = Math.abs(interval.months());
    long micros = Math.abs(interval.micros());
    long seconds = micros / 1_000_000;
    String fraction = micros % 1_000_000 == 0 ? "" : String.format(".%06d", micros % 1_000_000);
    return String.format(
        "%s%d-%d %d %s%d:%d:%d%s",
        interval.months() < 0 ? "-" : "",
        months / 12,
        months % 12,
        interval.days(),
        interval.micros() < 0 ? "-" : "",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60,
        fraction);
  }

  static void writeAll(List<Value> values, JsonWriter json) throws IOException {
    json.beginArray();
    for (Value value : values) write(value, json);
    json.endArray();
  }
}
