package dev.pitwall.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A process that has ended, and what was measured of it. Memory is read from {@code /proc}, so it is 0 elsewhere.
 *
 * @param cpuAtMark processor time when it printed the line looked for
 * @param peakRssKb most resident memory, looked at twice a second
 * @param lastRssKb resident memory at the last look
 */
record Child(List<String> lines, int exit, Duration cpu, Duration cpuAtMark, long peakRssKb, long lastRssKb) {

    static Child run(List<String> command, Screen screen, Pattern mark) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        screen.display().ifPresent(display -> builder.environment().put("DISPLAY", display));
        Process process = builder.start();
        List<String> lines = new CopyOnWriteArrayList<>();
        AtomicReference<Duration> atMark = new AtomicReference<>(Duration.ZERO);
        Thread reader = Thread.ofVirtual().start(() -> {
            try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    if (mark.matcher(line).find()) {
                        atMark.set(cpu(process));
                    }
                    lines.add(line);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        long peak = 0;
        long last = 0;
        Duration cpu = Duration.ZERO;
        do {
            long rss = rssKb(process.pid());
            peak = Math.max(peak, rss);
            last = rss > 0 ? rss : last;
            Duration now = cpu(process);
            cpu = now.compareTo(cpu) > 0 ? now : cpu;
        } while (!process.waitFor(500, TimeUnit.MILLISECONDS));
        reader.join();
        return new Child(lines, process.exitValue(), cpu, atMark.get(), peak, last);
    }

    private static Duration cpu(Process process) {
        return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static long rssKb(long pid) {
        try (Stream<String> status = Files.lines(Path.of("/proc", String.valueOf(pid), "status"))) {
            return status.filter(l -> l.startsWith("VmRSS:")).findFirst()
                    .map(l -> Long.parseLong(l.replaceAll("\\D", ""))).orElse(0L);
        } catch (IOException | UncheckedIOException e) {
            return 0;
        }
    }
}
