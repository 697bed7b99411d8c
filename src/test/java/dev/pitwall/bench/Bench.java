package dev.pitwall.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Prints the figures Pitwall promises, measured on the packaged jar: first frame against a bare JavaFX window on the same
 * JVM in the same run, and a generated fleet of 16 hosts, 64 cards, 200 nodes and 5,000 pods with 50 pod changes a second.
 * It judges nothing; shared machines are noisy, so ratios within one run say more than milliseconds.
 *
 * <p>Arguments: {@code [--windows N] [--seconds N]}. The window is real if a display or xvfb-run is there, else headless.
 */
public final class Bench {
    private static final List<String> WINDOW_FLAGS = List.of("-Xmx384m", "-XX:+UseSerialGC",
            "-XX:+UseCompactObjectHeaders", "--enable-native-access=ALL-UNNAMED");
    private static final Pattern AFTER = Pattern.compile("window after (\\d+) ms");

    private final Path jar = Path.of("target", "pitwall.jar").toAbsolutePath();
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private final Path work;
    private final int windows;
    private final int seconds;

    private Bench(Path work, int windows, int seconds) {
        this.work = work;
        this.windows = windows;
        this.seconds = seconds;
    }

    public static void main(String[] args) throws Exception {
        Path work = Files.createTempDirectory("pitwall-bench");
        try {
            Bench bench = new Bench(work, option(args, "--windows", 5), option(args, "--seconds", 60));
            bench.firstFrame();
            bench.fleet();
        } finally {
            try (Stream<Path> files = Files.walk(work)) {
                files.sorted(java.util.Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
            }
        }
    }

    private static int option(String[] args, String name, int fallback) {
        int at = Arrays.asList(args).indexOf(name);
        return at >= 0 && at + 1 < args.length ? Integer.parseInt(args[at + 1]) : fallback;
    }

    private void firstFrame() throws Exception {
        List<Long> bare = new ArrayList<>();
        List<Long> ours = new ArrayList<>();
        String testClasses = Path.of("target", "test-classes").toAbsolutePath().toString();
        String libraries = Path.of("target", "lib").toAbsolutePath() + "/*";
        for (int i = 0; i < windows; i++) {
            bare.add(after(run(windowCommand(List.of("-cp", testClasses + ":" + libraries,
                    "dev.pitwall.bench.BareWindow")))));
            ours.add(after(run(windowCommand(List.of("-Dpitwall.home=" + work.resolve("home" + i), "-jar",
                    jar.toString(), "--smoke", "1")))));
        }
        System.out.printf(Locale.ROOT, "first frame      bare %d ms, Pitwall %d ms, ratio %.2f (medians of %d, %s)%n",
                median(bare), median(ours), median(ours) / (double) median(bare), windows, display());
    }

    private void fleet() throws Exception {
        Path lab = work.resolve("lab");
        Process server = new ProcessBuilder(JAVA.toString(), "-Xmx1g", "-jar", jar.toString(), "lab", "--scene",
                "fleet", "--hosts", "16", "--cards", "64", "--nodes", "200", "--pods", "5000", "--dir", lab.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader out = server.inputReader()) {
            String ready = out.readLine();
            if (ready == null || !ready.startsWith("lab ready")) {
                throw new IOException("the lab did not start: " + ready);
            }
            CompletableFuture.runAsync(() -> out.lines().forEach(line -> { }));
            status(lab);
            garage(lab);
        } finally {
            server.destroy();
            server.waitFor(10, TimeUnit.SECONDS);
        }
    }

    private void status(Path lab) throws Exception {
        long start = System.nanoTime();
        Run run = run(List.of(JAVA.toString(), "-Xmx384m", "-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders",
                "-jar", jar.toString(), "status", "--json", "--site", lab.resolve("site.json").toString()));
        long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        long cards = run.lines.stream().filter(l -> l.contains("\"vramMiB\"")).count();
        long errors = run.lines.stream().filter(l -> l.contains("\"system\"")).count();
        System.out.printf(Locale.ROOT, "status --json    %d cards, %d errors in %d ms, exit %d, peak RSS %d MB%n", cards,
                errors, millis, run.exit, run.peakRssKb / 1024);
    }

    private void garage(Path lab) throws Exception {
        Run run = run(windowCommand(List.of("-Dpitwall.home=" + work.resolve("garage"), "-jar", jar.toString(), "--site",
                lab.resolve("site.json").toString(), "--smoke", String.valueOf(seconds))));
        String smoke = run.lines.stream().filter(l -> l.startsWith("smoke: ")).findFirst().orElse("no smoke line");
        System.out.printf(Locale.ROOT, "garage, %d s     %s; RSS peak %d MB, at the end %d MB (%s)%n", seconds,
                smoke.substring("smoke: ".length()), run.peakRssKb / 1024, run.lastRssKb / 1024, display());
    }

    private record Run(List<String> lines, int exit, long peakRssKb, long lastRssKb) {
    }

    private List<String> windowCommand(List<String> arguments) {
        List<String> command = new ArrayList<>();
        if (display().equals("Xvfb")) {
            command.addAll(List.of("xvfb-run", "-a", "-s", "-screen 0 1600x1000x24"));
        }
        command.add(JAVA.toString());
        command.addAll(WINDOW_FLAGS);
        if (display().equals("headless")) {
            command.addAll(List.of("-Dglass.platform=Headless", "-Dprism.order=sw"));
        }
        command.addAll(arguments);
        return command;
    }

    private static String display() {
        if (System.getenv("DISPLAY") != null) {
            return "display " + System.getenv("DISPLAY");
        }
        return Files.isExecutable(Path.of("/usr/bin/xvfb-run")) ? "Xvfb" : "headless";
    }

    private static Run run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        List<String> lines = new ArrayList<>();
        CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> {
            try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
                out.lines().forEach(lines::add);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        long peak = 0;
        long last = 0;
        while (!process.waitFor(500, TimeUnit.MILLISECONDS)) {
            long rss = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                    .filter(Bench::isJava).mapToLong(p -> memoryKb(p, "VmRSS:")).max().orElse(0);
            peak = Math.max(peak, rss);
            last = rss > 0 ? rss : last;
        }
        reader.join();
        return new Run(lines, process.exitValue(), peak, last);
    }

    private static boolean isJava(ProcessHandle process) {
        return process.info().command().filter(c -> c.endsWith("/java")).isPresent();
    }

    private static long memoryKb(ProcessHandle process, String field) {
        try (Stream<String> status = Files.lines(Path.of("/proc", String.valueOf(process.pid()), "status"))) {
            Optional<String> line = status.filter(l -> l.startsWith(field)).findFirst();
            return line.map(l -> Long.parseLong(l.replaceAll("\\D", ""))).orElse(0L);
        } catch (IOException | java.io.UncheckedIOException e) {
            return 0;
        }
    }

    private static long after(Run run) {
        return run.lines.stream().map(AFTER::matcher).filter(Matcher::find).mapToLong(m -> Long.parseLong(m.group(1)))
                .findFirst().orElseThrow(() -> new IllegalStateException("no window opened: " + run.lines));
    }

    private static long median(List<Long> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElse(0L);
    }
}
