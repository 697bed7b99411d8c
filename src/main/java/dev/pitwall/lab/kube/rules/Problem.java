package dev.pitwall.lab.kube.rules;

/**
 * One field that is not as it must be, in the words of Kubernetes' field errors.
 *
 * @param cause   the machine's word for it, for example {@code FieldValueRequired}
 * @param field   for example {@code spec.containers[0].image}
 * @param message without the field, for example {@code Required value}
 */
public record Problem(String cause, String field, String message) {

    public static Problem required(String field, String detail) {
        return new Problem("FieldValueRequired", field, "Required value" + (detail.isEmpty() ? "" : ": " + detail));
    }

    /** @param value as it is shown; a text comes with its quotes */
    public static Problem invalid(String field, String value, String detail) {
        return new Problem("FieldValueInvalid", field, "Invalid value: " + value + ": " + detail);
    }

    public static Problem unsupported(String field, String value, Iterable<String> supported) {
        StringBuilder list = new StringBuilder();
        supported.forEach(one -> list.append(list.isEmpty() ? "" : ", ").append('"').append(one).append('"'));
        return new Problem("FieldValueNotSupported", field, "Unsupported value: " + value
                + ": supported values: " + list);
    }

    public static Problem duplicate(String field, String value) {
        return new Problem("FieldValueDuplicate", field, "Duplicate value: " + value);
    }

    public static Problem forbidden(String field, String detail) {
        return new Problem("FieldValueForbidden", field, "Forbidden: " + detail);
    }

    public static Problem notFound(String field, String value) {
        return new Problem("FieldValueNotFound", field, "Not found: " + value);
    }

    public static Problem type(String field, String value, String detail) {
        return new Problem("FieldValueTypeInvalid", field, "Invalid value: " + value + ": " + detail);
    }

    public static Problem tooLong(String field, int most) {
        return new Problem("FieldValueTooLong", field, "Too long: may not be more than " + most + " bytes");
    }

    /** A text with its quotes, as Go prints it. */
    public static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    @Override
    public String toString() {
        return field + ": " + message;
    }
}
