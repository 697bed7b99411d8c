package dev.pitwall.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page with what became of the lab's faults. A row replaces the one that the page has of the same scene and fault. */
public final class FaultPage {
    private static final String HEAD = """
            # The Doctor at the practice lab

            What becomes of each fault that the practice lab can have (`pitwall lab --fault`, [all of them](guide/lab.md#faults)) when the Doctor
            looks at it live. Each stands in a lab of its own, which runs sixty times faster than life. The rows are printed and written here by

                mvn -q -DskipTests package
                java -cp target/test-classes:target/pitwall.jar dev.pitwall.FaultBench garage -w docs/doctor-live.md

            with `garage`, `metal` or `talos`, names of faults behind it for these alone, `-l` to look and cure nothing, and `-p` for the pairs.
            Seconds are those of the run on the machine that wrote the row, which may have had other work. A fault that is not here was not
            walked in that scene since the rules or cures it rests on have changed.

            *Found* is `first` if the cause is the first finding, and else its place. *Then* is what came of the Doctor's own plan: `cured` if the run
            ended well, its finding is gone and nothing else is left; `by hand` if no software can do it, and the finding gives the steps; `waits` if
            it is nothing that has to be cured. What else had to be cured after it, or is left, is named. Where it is empty, it was only looked for.
            """;

    private final Path file;
    private final Map<Table, Map<String, Map<String, String>>> rows = new TreeMap<>();

    /** What a row is about. */
    public enum Table {
        FAULTS("Faults", List.of("fault", "floor", "found", "seconds", "then", "by", "seconds", "besides")),
        PAIRS("Two faults at once", List.of("lower", "higher", "first", "the other"));

        private final String title;
        private final List<String> columns;

        Table(String title, List<String> columns) {
            this.title = title;
            this.columns = columns;
        }

        private String heading(String scene) {
            return "## " + title + ", scene " + scene;
        }
    }

    /** @param cells the first ones name it */
    public record Row(List<String> cells) {
        public Row {
            cells = List.copyOf(cells);
        }

        public String line() {
            return "| " + String.join(" | ", cells) + " |";
        }
    }

    private FaultPage(Path file) {
        this.file = file;
    }

    /** @param file may be absent */
    public static FaultPage of(Path file) throws IOException {
        FaultPage page = new FaultPage(file);
        if (Files.exists(file)) {
            page.read(Files.readAllLines(file));
        }
        return page;
    }

    private void read(List<String> lines) {
        Map<String, String> section = new TreeMap<>();
        for (String line : lines) {
            for (Table table : Table.values()) {
                String start = table.heading("");
                if (line.startsWith(start)) {
                    section = section(table, line.substring(start.length()));
                }
            }
            if (line.startsWith("| `")) {
                section.put(name(line), line);
            }
        }
    }

    private Map<String, String> section(Table table, String scene) {
        return rows.computeIfAbsent(table, t -> new TreeMap<>()).computeIfAbsent(scene, s -> new TreeMap<>());
    }

    /** All cells that are names of causes. */
    private static String name(String line) {
        return Stream.of(line.substring(2).split(" \\| ")).takeWhile(cell -> cell.startsWith("`")).collect(Collectors.joining(" "));
    }

    public void put(Table table, String scene, Row row) throws IOException {
        section(table, scene).put(name(row.line()), row.line());
        List<String> lines = new ArrayList<>(List.of(HEAD.strip()));
        rows.forEach((which, scenes) -> scenes.forEach((where, of) -> {
            lines.add("");
            lines.add(which.heading(where));
            lines.add("");
            lines.add("| " + String.join(" | ", which.columns) + " |");
            lines.add("|" + "---|".repeat(which.columns.size()));
            lines.addAll(of.values());
        }));
        Files.write(file, lines);
    }
}
