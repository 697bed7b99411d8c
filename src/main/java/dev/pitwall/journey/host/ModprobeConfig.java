package dev.pitwall.journey.host;

import dev.pitwall.journey.change.Content;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What modprobe does by its files and by the kernel's command line. Files count in the order of their names, whatever
 * their folder, and one in {@code /etc} hides one of its name elsewhere; options of several lines are joined, so that
 * of a parameter given twice the last value counts; words of the command line come last.
 */
final class ModprobeConfig {
    static final String COMMAND_LINE = "/proc/cmdline";
    private static final Set<String> KEYWORDS =
            Set.of("options", "blacklist", "softdep", "install", "remove", "alias", "config", "include");
    private static final List<String> FOLDERS = List.of("/etc/", "/run/", "/usr/local/lib/", "/usr/lib/", "/lib/");
    /** A command in place of a module that loads nothing. */
    private static final Set<String> NOTHING = Set.of("true", "false", "nologin");

    private final List<Option> options = new ArrayList<>();
    private final Map<String, String> blacklist = new HashMap<>();
    private final Map<String, Set<String>> before = new HashMap<>();
    private final List<BadLine> badLines = new ArrayList<>();

    /** @param path where it was given; {@link #COMMAND_LINE} for the command line */
    record Option(String path, String module, String name, String value) {
    }

    /** A line that modprobe leaves out. @param number from 1 */
    record BadLine(String path, int number, String text) {
    }

    private ModprobeConfig() {
    }

    /** @param files of the host, modprobe's own ones among others */
    static ModprobeConfig of(Map<String, Content> files, List<String> commandLine) {
        ModprobeConfig config = new ModprobeConfig();
        inOrder(files).forEach((name, path) -> config.file(path, files.get(path).text()));
        commandLine.forEach(config::word);
        return config;
    }

    private static SortedMap<String, String> inOrder(Map<String, Content> files) {
        SortedMap<String, String> byName = new TreeMap<>();
        for (String folder : FOLDERS) {
            files.forEach((path, content) -> {
                if (!content.absent() && path.startsWith(folder) && Paths.MODPROBE.matcher(path).matches()) {
                    byName.putIfAbsent(path.substring(path.lastIndexOf('/') + 1), path);
                }
            });
        }
        return byName;
    }

    private void file(String path, String text) {
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            int number = i + 1;
            StringBuilder line = new StringBuilder(lines[i]);
            while (line.toString().endsWith("\\") && i + 1 < lines.length) {
                line.setLength(line.length() - 1);
                line.append(' ').append(lines[++i]);
            }
            line(path, number, line.toString().strip());
        }
    }

    private void line(String path, int number, String line) {
        if (line.isEmpty() || line.startsWith("#")) {
            return;
        }
        String[] words = line.split("\\s+");
        if (!KEYWORDS.contains(words[0]) || words.length < 2) {
            badLines.add(new BadLine(path, number, line));
            return;
        }
        String module = Devices.name(words[1]);
        switch (words[0]) {
            case "options" -> Arrays.stream(words).skip(2).forEach(w -> option(path, module, w));
            case "blacklist" -> blacklist.putIfAbsent(module, path);
            case "softdep" -> softdep(module, words);
            case "install" -> install(path, module, words);
            default -> { }
        }
    }

    private void option(String path, String module, String word) {
        int equals = word.indexOf('=');
        options.add(new Option(path, module, equals < 0 ? word : word.substring(0, equals),
                equals < 0 ? "" : word.substring(equals + 1)));
    }

    private void softdep(String module, String[] words) {
        boolean pre = false;
        for (String word : Arrays.asList(words).subList(2, words.length)) {
            if (word.endsWith(":")) {
                pre = word.equals("pre:");
            } else if (pre) {
                before.computeIfAbsent(module, m -> new LinkedHashSet<>()).add(Devices.name(word));
            }
        }
    }

    private void install(String path, String module, String[] words) {
        if (words.length == 3 && NOTHING.contains(words[2].substring(words[2].lastIndexOf('/') + 1))) {
            blacklist.putIfAbsent(module, path);
        }
    }

    private void word(String word) {
        int equals = word.indexOf('=');
        if (equals < 0) {
            return;
        }
        String name = word.substring(0, equals);
        String value = word.substring(equals + 1);
        int dot = name.indexOf('.');
        if (name.equals("modprobe.blacklist") || name.equals("module_blacklist")) {
            Arrays.stream(value.split(",")).forEach(m -> blacklist.putIfAbsent(Devices.name(m), COMMAND_LINE));
        } else if (dot > 0) {
            option(COMMAND_LINE, Devices.name(name.substring(0, dot)), name.substring(dot + 1) + "=" + value);
        }
    }

    /** Where a module is kept from being loaded for a device; empty where it is not. */
    Optional<String> blacklisted(String module) {
        return Optional.ofNullable(blacklist.get(Devices.name(module)));
    }

    /** Modules that are loaded before this one. */
    Set<String> before(String module) {
        return before.getOrDefault(Devices.name(module), Set.of());
    }

    /** What a module is told of a parameter: the last one given counts. */
    Optional<Option> option(String module, String name) {
        return options.stream().filter(o -> o.module().equals(Devices.name(module)) && o.name().equals(name))
                .reduce((first, last) -> last);
    }

    List<BadLine> badLines() {
        return List.copyOf(badLines);
    }
}
