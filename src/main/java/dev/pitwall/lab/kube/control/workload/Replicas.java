package dev.pitwall.lab.kube.control.workload;

import com.fasterxml.jackson.databind.JsonNode;

/** Numbers of replicas, given as such or as a share. */
final class Replicas {
    private Replicas() {
    }

    /** Which way a share of a pod is rounded. */
    enum Rounding { UP, DOWN }

    /**
     * @param value   a number, or a text such as {@code 25%}
     * @param missing what counts if it is not given
     */
    static int of(JsonNode value, String missing, int total, Rounding rounding) {
        String text = value.isMissingNode() || value.isNull() ? missing : value.asText();
        try {
            if (!text.endsWith("%")) {
                return Integer.parseInt(text);
            }
            double share = Integer.parseInt(text.substring(0, text.length() - 1)) * (double) total / 100;
            return (int) (rounding == Rounding.UP ? Math.ceil(share) : Math.floor(share));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
