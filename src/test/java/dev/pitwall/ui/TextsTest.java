package dev.pitwall.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pitwall.card.Floor;
import dev.pitwall.card.OperandTower;
import dev.pitwall.card.Trouble;
import dev.pitwall.engine.figure.Figure;
import dev.pitwall.engine.live.Memory;
import dev.pitwall.engine.live.Mode;
import dev.pitwall.engine.live.Preview;
import dev.pitwall.engine.live.ProviderView;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.ChangeRecord;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.RunRecord;
import dev.pitwall.journey.change.Risk;
import dev.pitwall.site.Connection;
import dev.pitwall.site.ShellAccess;
import dev.pitwall.ui.search.SearchEntry;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.theme.Density;
import dev.pitwall.ui.theme.ThemeChoice;
import dev.pitwall.ui.words.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every text is in the bundle, and the bundle has no other. */
class TextsTest {

    private static final Path SOURCES = Path.of("src/main/java/dev/pitwall/ui");
    private static final Path FXML = Path.of("resources/fxml");
    private static final Pattern CALL = Pattern.compile("texts?(?:\\(\\))?\\s*\\.\\s*(get|count|has)\\(\\s*(?:\\w+ \\? )?"
            + "\"([a-z0-9.-]+)\"(\\s*\\+)?(?: : \"([a-z0-9.-]+)\")?");
    private static final Pattern LITERAL =
            Pattern.compile("\"((?:garage\\.(?:action|menu)|search|dots|lab)\\.[a-z.-]+|(?:setup|journal|change|doctor|board)\\.[a-z.-]*[a-z]|connect\\.[a-z.-]*[a-z])\"");
    private static final Pattern FXML_KEY = Pattern.compile("\"%([a-z0-9.-]+)\"");

    private final Texts texts = new Texts();

    @Test
    void everyKeyThatIsUsedHasAText() {
        Set<String> missing = used();
        missing.removeAll(texts.bundle().keySet());
        assertThat(missing).as("add these to resources/messages/ui.properties").isEmpty();
    }

    @Test
    void everyTextIsUsed() {
        Set<String> unused = new TreeSet<>(texts.bundle().keySet());
        unused.removeAll(used());
        assertThat(unused).as("remove these from resources/messages/ui.properties").isEmpty();
    }

    private static Set<String> used() {
        Set<String> keys = new TreeSet<>(families());
        for (String source : read(SOURCES, ".java")) {
            Matcher call = CALL.matcher(source);
            while (call.find()) {
                if (call.group(1).equals("count")) {
                    keys.add(call.group(2) + ".one");
                    keys.add(call.group(2) + ".many");
                } else if (call.group(3) == null) {
                    keys.add(call.group(2));
                }
                if (call.group(4) != null) {
                    keys.add(call.group(4));
                }
            }
            Matcher literal = LITERAL.matcher(source);
            while (literal.find()) {
                if (!source.contains("count(\"" + literal.group(1) + "\"")) {
                    keys.add(literal.group(1));
                }
            }
        }
        // A counted text has only its two forms.
        keys.removeIf(key -> keys.contains(key + ".one") || key.endsWith("."));
        for (String fxml : read(FXML, ".fxml")) {
            Matcher key = FXML_KEY.matcher(fxml);
            while (key.find()) {
                keys.add(key.group(1));
            }
        }
        return keys;
    }

    /** Keys whose end is the name of a value. */
    private static Set<String> families() {
        Stream<String> floors = Arrays.stream(Floor.values())
                .flatMap(f -> Stream.of("floor." + f.wireName(), "floor.title." + f.wireName()));
        Stream<String> pages = Arrays.stream(Page.values()).map(Page::key);
        Stream<String> pageTexts = Stream.of(Page.CLAIMS)
                .map(p -> p.name().toLowerCase(Locale.ROOT)).map(p -> "later." + p);
        Stream<String> steps = IntStream.rangeClosed(1, 7).boxed()
                .flatMap(i -> Stream.of("firstrun.step." + i, "firstrun.step." + i + ".text", "firstrun.step." + i + ".time"));
        Stream<String> keys = Stream.of("search", "rail", "read", "undo", "arrows", "enter", "space", "copy", "menu",
                "esc").map(k -> "settings.key." + k);
        Stream<String> factors = Stream.of("totp", "recovery", "yubico").map(k -> "signin.kind." + k);
        Stream<String> ways = Stream.of("close", "disconnect", "edit").flatMap(w -> Stream.of("leave." + w + ".stop", "leave.stop." + w));
        Stream<String> leavingNow = Stream.of("close", "disconnect").map(w -> "leave.now." + w);
        return Stream.of(ways, leavingNow, factors, floors, pages, pageTexts, steps, keys,
                names("trouble.", Trouble.Kind.values()), names("kind.", Connection.Kind.values()),
                names("settings.theme.", ThemeChoice.values()), names("settings.density.", Density.values()),
                names("operand.", OperandTower.Kind.values()), names("operand.state.", OperandTower.State.values()),
                Stream.of("driver", "toolkit", "cuda", "plugin").map(c -> "operand.waits." + c + "-validation"),
                Stream.of("card", "driver", "runtime", "plugin", "scheduling", "admission").map(f -> "proof.floor." + f),
                names("search.kind.", SearchEntry.Kind.values()),
                names("setup.mark.", Found.Mark.values()), wireNames("setup.state.", Answer.State.values()),
                wireNames("setup.nothing.", Answer.State.values()), wireNames("setup.risk.", Risk.values()),
                wireNames("change.state.", ChangeRecord.State.values()),
                wireNames("journal.state.", RunRecord.State.values()), Stream.of("all", "undoable", "stopped").map(f -> "journal." + f),
                Arrays.stream(Risk.values()).filter(r -> r != Risk.NONE).map(Risk::wireName)
                        .flatMap(r -> Stream.of("change.chip." + r, "change.button." + r)),
                Stream.of("bash", "ansible", "terraform", "talos-patch", "helm-values", "manifests").flatMap(k -> Stream.of("setup.export." + k, "setup.export.file." + k)),
                Stream.of(Risk.DRAINS_NODE, Risk.POWER_CYCLES_VM, Risk.REBOOTS_HOST).map(r -> "change.ask." + r.wireName()),
                Stream.of("proxmox", "ssh", "cluster", "prometheus", "models")
                        .flatMap(s -> Stream.of("connect.system." + s, "connect.without." + s)),
                Stream.of("key_file", "agent", "password").map(m -> "connect.login." + m),
                names("connect.role.", ShellAccess.Role.values()), board(),
                Stream.of("all", "up", "waiting", "failing", "blocked", "unknown").map(f -> "filter." + f),
                Stream.of("host", "state", "name").map(s -> "sort." + s)).flatMap(s -> s).collect(Collectors.toSet());
    }

    private static Stream<String> board() {
        return Stream.of(names("board.mode.", Mode.values()), names("board.mode.", Mode.values()).map(k -> k + ".tip"),
                names("board.basis.", Memory.Basis.values()), names("board.need.", Memory.Basis.values()),
                names("board.by.", ProviderView.By.values()), wireNames("board.refused.", Preview.Why.values()),
                Stream.of("busy", "idle", "estimated", "foreign", "reserve").map(p -> "board.fill." + p),
                names("board.figure.name.", Figure.values()), names("board.figure.unit.", Figure.values()),
                Stream.of("hour", "day", "month").flatMap(s -> Stream.of("board.figures.span." + s, "board.figures.over." + s)),
                Stream.of("all", "yours", "problems").map(w -> "board.why." + w)).flatMap(s -> s);
    }

    private static Stream<String> names(String prefix, Enum<?>[] values) {
        return Arrays.stream(values).map(v -> prefix + v.name().toLowerCase(Locale.ROOT));
    }

    private static Stream<String> wireNames(String prefix, Enum<?>[] values) {
        return names(prefix, values).map(name -> name.replace('_', '-'));
    }

    private static List<String> read(Path folder, String end) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(f -> f.toString().endsWith(end)).map(TextsTest::text).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
