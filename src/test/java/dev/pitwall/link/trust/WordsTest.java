package dev.pitwall.link.trust;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** The texts and the code that says them fit together. */
class WordsTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/pitwall/link");
    private static final Path KNOWN_TEXTS = Path.of("resources/links/proxmox-errors.yaml");
    private static final Pattern NAMED = Pattern.compile(", text: ([a-z0-9.]+),");
    private static final Pattern KEY = Pattern.compile("\"((?:[a-z0-9]+\\.)+[a-z0-9]+|hop\\.[a-z]+)\"");

    private final Properties texts = load();

    private static Properties load() {
        Properties texts = new Properties();
        try (var in = Files.newBufferedReader(Path.of("resources/messages/links.properties"))) {
            texts.load(in);
            return texts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void everyTroubleHasANextAction() {
        Set<String> what = keys(".what");
        assertThat(what).filteredOn(key -> services(key).isEmpty()).allMatch(key -> texts.containsKey(key + ".next"));
        assertThat(keys(".next")).allMatch(key -> texts.getProperty(key + ".next").endsWith("."));
    }

    @Test
    void noTextIsUnused() {
        Set<String> used = used();
        Set<String> unused = texts.stringPropertyNames().stream().map(WordsTest::plain)
                .filter(key -> !used.contains(key)).collect(Collectors.toCollection(TreeSet::new));
        assertThat(unused).isEmpty();
    }

    private Set<String> keys(String end) {
        return texts.stringPropertyNames().stream().filter(key -> key.endsWith(end))
                .map(key -> key.substring(0, key.length() - end.length())).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<Service> serviceOf(String key) {
        return Stream.of(Service.values()).filter(service -> key.endsWith("." + service.key()));
    }

    private static Set<Service> services(String key) {
        return serviceOf(key).filter(service -> key.split("\\.").length > 2).collect(Collectors.toSet());
    }

    private static String plain(String key) {
        String base = key.replaceFirst("\\.(?:what|next)$", "");
        return base.equals(key) ? key : services(base).stream().findFirst()
                .map(service -> base.substring(0, base.length() - service.key().length() - 1)).orElse(base);
    }

    private static Set<String> used() {
        try (Stream<Path> files = Files.walk(SOURCES); Stream<String> known = Files.lines(KNOWN_TEXTS)) {
            return Stream.concat(files.filter(file -> file.toString().endsWith(".java")).flatMap(WordsTest::literals),
                    known.map(NAMED::matcher).filter(Matcher::find).map(m -> m.group(1))).collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> literals(Path file) {
        try {
            return KEY.matcher(Files.readString(file)).results().map(match -> match.group(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
