package dev.pitwall.lab.ssh;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The {@code options} lines of a set of modprobe files. Dashes and underscores in module names are the same. */
public final class ModuleOptions {
    private final Map<String, Map<String, String>> byModule = new HashMap<>();

    /** @param files texts by path; only {@code /etc/modprobe.d/*.conf} count */
    public static ModuleOptions of(Map<String, byte[]> files) {
        ModuleOptions options = new ModuleOptions();
        new TreeMap<>(files).forEach((path, bytes) -> {
            if (path.startsWith("/etc/modprobe.d/") && path.endsWith(".conf")) {
                new String(bytes, StandardCharsets.UTF_8).lines().forEach(options::line);
            }
        });
        return options;
    }

    private void line(String line) {
        String[] words = line.strip().split("\\s+");
        if (words.length < 3 || !words[0].equals("options")) {
            return;
        }
        Map<String, String> values = byModule.computeIfAbsent(words[1].replace('-', '_'), m -> new HashMap<>());
        for (int i = 2; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            values.put(equals < 0 ? words[i] : words[i].substring(0, equals),
                    equals < 0 ? "1" : words[i].substring(equals + 1));
        }
    }

    Optional<String> value(String module, String key) {
        return Optional.ofNullable(byModule.getOrDefault(module.replace('-', '_'), Map.of()).get(key));
    }

    /** A boolean parameter as the kernel shows it: {@code Y} or {@code N}. */
    String flag(String module, String key) {
        return value(module, key).filter(v -> v.matches("[1yY].*")).isPresent() ? "Y" : "N";
    }
}
