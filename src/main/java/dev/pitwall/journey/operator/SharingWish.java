package dev.pitwall.journey.operator;

import dev.pitwall.journey.Situation;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a card is to be shared: choice {@code sharing}.
 *
 * @param replicas as how many cards each one is advertised
 */
record SharingWish(Way way, int replicas) {
    static final String KEY = "sharing";
    static final String NONE = "none";
    /** MPS serves so many clients of one card; more slices of time help nobody either. */
    static final int MOST = 48;
    private static final Pattern FORM = Pattern.compile("(time-slicing|mps):(\\d{1,3})");
    private static final String OWN = "pitwall-";

    /** The two ways in which whole cards are shared (facts: cluster.md 2). */
    enum Way {
        TIME_SLICING("time-slicing", "timeSlicing"), MPS("mps", "mps");

        private final String value;
        private final String section;

        Way(String value, String section) {
            this.value = value;
            this.section = section;
        }

        String value() {
            return value;
        }
    }

    static Optional<String> chosen(Situation situation) {
        return situation.choices().get(KEY);
    }

    /** @return empty for {@code none} and for what is no way of sharing */
    static Optional<SharingWish> of(String choice) {
        Matcher m = FORM.matcher(choice);
        if (!m.matches()) {
            return Optional.empty();
        }
        int replicas = Integer.parseInt(m.group(2));
        Way way = m.group(1).equals(Way.MPS.value) ? Way.MPS : Way.TIME_SLICING;
        return replicas >= 2 && replicas <= MOST ? Optional.of(new SharingWish(way, replicas)) : Optional.empty();
    }

    /** The configuration's name in the ConfigMap: another sharing has another name, so none is ever rewritten. */
    String configuration() {
        return OWN + way.value + "-" + replicas;
    }

    static boolean isOwn(String configuration) {
        return configuration.startsWith(OWN);
    }

    /** As the device plugin reads it. */
    String text() {
        return """
                version: v1
                sharing:
                  %s:
                    resources:
                      - name: nvidia.com/gpu
                        replicas: %d
                """.formatted(way.section, replicas);
    }
}
