package dev.pitwall.journey.host;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The text of Pitwall's modprobe file. It serves all cards of the host: lines that are there stay, new ones are added,
 * and vfio-pci's options stay one line, since of {@code ids=} given twice only the last counts.
 */
final class OwnModprobe {
    private static final String OPTIONS = "options " + Devices.VFIO;
    private static final String IDS = "ids";

    private final List<String> lines;
    private final Map<String, String> options = new LinkedHashMap<>();

    private OwnModprobe(List<String> lines) {
        this.lines = new ArrayList<>(lines);
    }

    /** @param text of the file as it is; empty where there is none */
    static OwnModprobe of(String text) {
        OwnModprobe own = new OwnModprobe(text.lines().toList());
        own.lines.stream().filter(OwnModprobe::isOptions).flatMap(l -> Arrays.stream(l.strip().split("\\s+")).skip(2))
                .forEach(own::take);
        return own;
    }

    private static boolean isOptions(String line) {
        String[] words = line.strip().split("\\s+");
        return words.length > 1 && words[0].equals("options")
                && Devices.name(words[1]).equals(Devices.name(Devices.VFIO));
    }

    private void take(String word) {
        int equals = word.indexOf('=');
        options.put(equals < 0 ? word : word.substring(0, equals), equals < 0 ? "" : word.substring(equals + 1));
    }

    /** Adds ids behind those that are there. */
    void ids(List<String> more) {
        Set<String> all = new LinkedHashSet<>(Arrays.asList(options.getOrDefault(IDS, "").split(",")));
        all.addAll(more);
        all.remove("");
        if (!all.isEmpty()) {
            options.put(IDS, String.join(",", all));
        }
    }

    void option(String name, String value) {
        options.put(name, value);
    }

    /** A module waits for vfio-pci. */
    void softdep(String module) {
        String line = "softdep " + module + " pre: " + Devices.VFIO;
        if (!lines.contains(line)) {
            lines.add(optionsAt(), line);
        }
    }

    void blacklist(String module) {
        String line = "blacklist " + module;
        if (!lines.contains(line)) {
            lines.add(line);
        }
    }

    private int optionsAt() {
        for (int i = 0; i < lines.size(); i++) {
            if (isOptions(lines.get(i)) || lines.get(i).startsWith("blacklist ")) {
                return i;
            }
        }
        return lines.size();
    }

    /** The whole file; empty text where nothing is to be said. */
    String text() {
        List<String> out = new ArrayList<>(lines);
        if (!options.isEmpty()) {
            int at = optionsAt();
            out.removeIf(OwnModprobe::isOptions);
            out.add(Math.min(at, out.size()), OPTIONS + options.entrySet().stream()
                    .map(e -> " " + (e.getValue().isEmpty() ? e.getKey() : e.getKey() + "=" + e.getValue()))
                    .collect(Collectors.joining()));
        }
        return out.stream().map(l -> l + "\n").collect(Collectors.joining());
    }
}
