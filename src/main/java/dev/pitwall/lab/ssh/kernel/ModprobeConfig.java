package dev.pitwall.lab.ssh.kernel;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a set of modprobe files and a kernel command line say about modules. Dashes and underscores in names are the
 * same. A word {@code module.option=value} of the command line counts as an option, {@code modprobe.blacklist} and
 * {@code module_blacklist} as blacklists.
 */
public final class ModprobeConfig {
    /** Folder of an administrator's own files. */
    public static final String FOLDER = "/etc/modprobe.d/";
    private static final Set<String> KEYWORDS =
            Set.of("options", "blacklist", "softdep", "install", "remove", "alias", "config");

    private final Map<String, Map<String, String>> options = new HashMap<>();
    private final Set<String> blacklist = new HashSet<>();
    private final Map<String, List<String>> before = new HashMap<>();
    private final Map<String, String> install = new HashMap<>();
    private final List<String> complaints = new ArrayList<>();

    private ModprobeConfig() {
    }

    /** @param files texts by path; only {@code *.conf} in a modprobe.d folder count, in the order of their names */
    public static ModprobeConfig of(Map<String, byte[]> files, String commandLine) {
        ModprobeConfig config = new ModprobeConfig();
        Map<String, String> byName = new TreeMap<>();
        files.keySet().stream().filter(path -> path.contains("/modprobe.d/") && path.endsWith(".conf"))
                .forEach(path -> byName.put(path.substring(path.lastIndexOf('/') + 1), path));
        byName.values().forEach(path -> config.file(path, new String(files.get(path), StandardCharsets.UTF_8)));
        Arrays.stream(commandLine.split("\\s+")).forEach(config::kernelWord);
        return config;
    }

    /** A module's name as the kernel has it. */
    public static String name(String module) {
        return module.replace('-', '_');
    }

    private void file(String path, String text) {
        int number = 0;
        for (String line : text.replace("\\\n", " ").split("\n")) {
            number++;
            String[] words = line.strip().split("\\s+");
            if (words[0].isEmpty() || words[0].startsWith("#")) {
                continue;
            }
            if (!KEYWORDS.contains(words[0]) || words.length < 2) {
                complaints.add("libkmod: ERROR: kmod_config_parse: " + path + " line " + number
                        + ": ignoring bad line starting with '" + words[0] + "'");
                continue;
            }
            line(words);
        }
    }

    private void line(String[] words) {
        String module = name(words[1]);
        switch (words[0]) {
            case "options" -> {
                for (int i = 2; i < words.length; i++) {
                    option(module, words[i]);
                }
            }
            case "blacklist" -> blacklist.add(module);
            case "softdep" -> softdep(module, words);
            case "install" -> install.put(module, String.join(" ", Arrays.asList(words).subList(2, words.length)));
            default -> { }
        }
    }

    private void softdep(String module, String[] words) {
        boolean pre = false;
        for (int i = 2; i < words.length; i++) {
            if (words[i].equals("pre:") || words[i].equals("post:")) {
                pre = words[i].equals("pre:");
            } else if (pre) {
                before.computeIfAbsent(module, m -> new ArrayList<>()).add(name(words[i]));
            }
        }
    }

    private void option(String module, String word) {
        int equals = word.indexOf('=');
        options.computeIfAbsent(module, m -> new LinkedHashMap<>()).put(
                equals < 0 ? word : word.substring(0, equals), equals < 0 ? "1" : word.substring(equals + 1));
    }

    private void kernelWord(String word) {
        int equals = word.indexOf('=');
        String key = equals < 0 ? word : word.substring(0, equals);
        String value = equals < 0 ? "" : word.substring(equals + 1);
        if (key.equals("modprobe.blacklist") || key.equals("module_blacklist")) {
            Arrays.stream(value.split(",")).map(ModprobeConfig::name).forEach(blacklist::add);
        } else if (key.indexOf('.') > 0 && !value.isEmpty()) {
            option(name(key.substring(0, key.indexOf('.'))), key.substring(key.indexOf('.') + 1) + "=" + value);
        }
    }

    /** Options of all modules, by module and name. */
    public Map<String, Map<String, String>> options() {
        return options;
    }

    public Map<String, String> options(String module) {
        return options.getOrDefault(name(module), Map.of());
    }

    /** Not loaded by its alias, that is for a device that is there; by its name it still is. */
    public boolean isBlacklisted(String module) {
        String command = install.getOrDefault(name(module), "");
        return blacklist.contains(name(module)) || command.matches("(/usr)?/bin/(true|false)|/sbin/nologin");
    }

    /** Loading it by name runs a program that loads nothing. */
    public boolean isRefused(String module) {
        return install.getOrDefault(name(module), "").matches("(/usr)?/bin/(true|false)");
    }

    /** Modules that are loaded before this one. */
    public List<String> before(String module) {
        return before.getOrDefault(name(module), List.of());
    }

    /** Lines that libkmod cannot read, in its words. */
    public List<String> complaints() {
        return complaints;
    }

    /** Lines as {@code modprobe --showconfig} prints them. */
    public List<String> shown() {
        List<String> lines = new ArrayList<>();
        new TreeSet<>(blacklist).forEach(m -> lines.add("blacklist " + m));
        new TreeMap<>(install).forEach((m, c) -> lines.add("install " + m + " " + c));
        new TreeMap<>(options).forEach((m, o) -> o.forEach((k, v) -> lines.add("options " + m + " " + k + "=" + v)));
        new TreeMap<>(before).forEach((m, b) -> lines.add("softdep " + m + " pre: " + String.join(" ", b)));
        return lines;
    }
}
