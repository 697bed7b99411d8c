package dev.pitwall.bench;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Prints the figures Pitwall promises, measured on the packaged jar: first frame against a bare JavaFX window on the same
 * JVM in the same run, and a generated fleet of 16 hosts, 64 cards, 200 nodes and 5,000 pods with 50 pod changes a second.
 * It judges nothing: on a busy machine times say little, so ratios of neighbours and processor time stand beside them.
 *
 * <p>Arguments: {@code [--windows N] [--seconds N] [--lab-seconds N]}. The window is real if a display or Xvfb is there, else headless.
 * Property {@code window.java} has the JVM's options, which are the same for both windows.
 */
public final class Bench {
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final Path JAR = Path.of("target", "pitwall.jar").toAbsolutePath();
    private static final Pattern AFTER = Pattern.compile("window after (\\d+) ms");
    private static final Pattern PAUSE = Pattern.compile("\\[([\\d.]+)s].* Pause .* ([\\d.]+)ms");

    private final Path work;
    private final Screen screen;
    private final List<String> options;

    private Bench(Path work, Screen screen, List<String> options) {
        this.work = work;
        this.screen = screen;
        this.options = options;
    }

    public static void main(String[] args) throws Exception {
        Path work = Files.createTempDirectory("pitwall-bench");
        List<String> options = new ArrayList<>(
                List.of(System.getProperty("window.java", "-Xmx384m -XX:+UseSerialGC").split(" ")));
        options.add("--enable-native-access=ALL-UNNAMED");
        try (Screen screen = Screen.open()) {
            row("machine", "%d cores, Java %s, screen %s", Runtime.getRuntime().availableProcessors(),
                    Runtime.version(), screen.name());
            row("options", "%s", String.join(" ", options));
            Bench bench = new Bench(work, screen, options);
            for (String figure : new LabLoad(JAVA, JAR, work.resolve("load")).measure(option(args, "--lab-seconds", 20))) {
                row("lab fleet", "%s; %s", figure, load());
            }
            bench.firstFrame(option(args, "--windows", 7));
            bench.fleet(option(args, "--seconds", 60));
        } finally {
            try (Stream<Path> files = Files.walk(work)) {
                files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
            }
        }
    }

    private static int option(String[] args, String name, int fallback) {
        int at = Arrays.asList(args).indexOf(name);
        return at >= 0 && at + 1 < args.length ? Integer.parseInt(args[at + 1]) : fallback;
    }

    private static void row(String what, String format, Object... values) {
        System.out.printf(Locale.ROOT, "%-22s %s%n", what, String.format(Locale.ROOT, format, values));
    }

    private static String load() {
        return String.format(Locale.ROOT, "load %.1f",
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    /** The two windows in turns, so that what else the machine does meets both. The first pair only warms the disk. */
    private void firstFrame(int pairs) throws Exception {
        String classes = Path.of("target", "test-classes").toAbsolutePath() + File.pathSeparator
                + Path.of("target", "lib").toAbsolutePath() + "/*";
        List<Start> bare = new ArrayList<>();
        List<Start> ours = new ArrayList<>();
        for (int i = 0; i <= pairs; i++) {
            bare.add(start(List.of("-cp", classes, "dev.pitwall.bench.BareWindow")));
            ours.add(start(List.of("-Dpitwall.home=" + work.resolve("home"), "-jar", JAR.toString(), "--smoke", "1")));
        }
        bare.removeFirst();
        ours.removeFirst();
        List<Double> wall = new ArrayList<>();
        List<Double> cpu = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            wall.add(ours.get(i).millis() / (double) bare.get(i).millis());
            cpu.add(ours.get(i).cpuMillis() / (double) bare.get(i).cpuMillis());
        }
        row("bare window", "after %.0f ms, %.0f ms of processor time (medians of %d)",
                median(bare.stream().map(s -> (double) s.millis()).toList()),
                median(bare.stream().map(s -> (double) s.cpuMillis()).toList()), pairs);
        row("Pitwall's window", "after %.0f ms, %.0f ms of processor time",
                median(ours.stream().map(s -> (double) s.millis()).toList()),
                median(ours.stream().map(s -> (double) s.cpuMillis()).toList()));
        row("ratio, pair by pair", "%.2f of time (%.2f to %.2f), %.2f of processor time; %s", median(wall),
                wall.stream().min(Double::compare).orElseThrow(), wall.stream().max(Double::compare).orElseThrow(),
                median(cpu), load());
    }

    private record Start(long millis, long cpuMillis) {
    }

    private Start start(List<String> arguments) throws Exception {
        Child child = Child.run(java(arguments), screen, AFTER);
        String line = child.lines().stream().filter(l -> AFTER.matcher(l).find()).findFirst()
                .orElseThrow(() -> new IllegalStateException("no window opened: " + child.lines()));
        Matcher after = AFTER.matcher(line);
        after.find();
        return new Start(Long.parseLong(after.group(1)), child.cpuAtMark().toMillis());
    }

    private List<String> java(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(JAVA.toString()));
        command.addAll(options);
        command.addAll(screen.options());
        command.addAll(arguments);
        return command;
    }

    private void fleet(int seconds) throws Exception {
        Path lab = work.resolve("lab");
        Process server = new ProcessBuilder(JAVA.toString(), "-Xmx1g", "-Dpitwall.home=" + work.resolve("lab-home"), "-jar",
                JAR.toString(), "lab", "--scene", "fleet", "--hosts", "16", "--cards", "64", "--nodes", "200", "--pods",
                "5000", "--dir", lab.toString()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (BufferedReader out = server.inputReader()) {
            String ready = out.readLine();
            if (ready == null || !ready.startsWith("lab ready")) {
                throw new IOException("the lab did not start: " + ready);
            }
            Thread.ofVirtual().start(() -> out.lines().forEach(line -> { }));
            status(lab);
            garage(lab, seconds);
            // Ended before its output is closed: whoever reads that holds its lock until the end.
            server.destroy();
        } finally {
            server.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    private void status(Path lab) throws Exception {
        long start = System.nanoTime();
        Child run = Child.run(java(List.of("-Dpitwall.home=" + work.resolve("status"), "-jar", JAR.toString(), "status",
                "--json", "--site", lab.resolve("site.json").toString())), screen, AFTER);
        long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        row("status --json", "%d cards, %d with UUID and memory, exit %d, %d ms, %d ms of processor time, RSS %d MB; %s",
                count(run, "\"vramMiB\" : "), count(run, "\"uuid\" : \"GPU-"), run.exit(), millis, run.cpu().toMillis(),
                run.peakRssKb() / 1024, load());
    }

    private static long count(Child run, String part) {
        return run.lines().stream().filter(l -> l.contains(part)).count();
    }

    private void garage(Path lab, int seconds) throws Exception {
        Path gc = work.resolve("gc.log");
        Child run = Child.run(java(List.of("-Xlog:gc:file=" + gc, "-Dpitwall.home=" + work.resolve("garage"), "-jar",
                JAR.toString(), "--site", lab.resolve("site.json").toString(), "--smoke", String.valueOf(seconds))),
                screen, AFTER);
        String smoke = run.lines().stream().filter(l -> l.startsWith("smoke: ")).findFirst().orElse("smoke: none");
        row("Garage", "%s; %s", smoke.substring("smoke: ".length()), load());
        row("Garage, memory", "RSS peak %d MB, at the end %d MB", run.peakRssKb() / 1024, run.lastRssKb() / 1024);
        row("Garage, processor", "%.1f s in %d s; longest pause for garbage after the first frame %.0f ms",
                run.cpu().toMillis() / 1000.0, seconds, longestPause(gc, run.lines()));
    }

    private static double longestPause(Path log, List<String> lines) throws IOException {
        double opened = lines.stream().map(AFTER::matcher).filter(Matcher::find)
                .mapToDouble(m -> Long.parseLong(m.group(1)) / 1000.0).findFirst().orElse(0);
        try (Stream<String> pauses = Files.lines(log)) {
            return pauses.map(PAUSE::matcher).filter(Matcher::find)
                    .filter(m -> Double.parseDouble(m.group(1)) > opened)
                    .mapToDouble(m -> Double.parseDouble(m.group(2))).max().orElse(0);
        }
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElse(0.0);
    }
}
