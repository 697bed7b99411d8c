package dev.pitwall.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Prints how long the Doctor takes for a large folder of evidence under a heap of 256 MB, on the packaged jar: logs of 200 MB
 * in which one line counts, and a list of 5,000 pods. It judges nothing. Arguments: {@code [MEGABYTES] [PODS]}.
 */
public final class DoctorBench {
    private static final String DECIDES = "NVRM: API mismatch: the client has the version 570.133.20, but this kernel module has the version 570.124.06.";
    private static final List<String> NOISE = List.of(
            "I%04d 10:%02d:%02d.123456       1 reconciler.go:224] \"Reconciler: start to sync state\" pod=\"default/web-%d\"",
            "2026-03-%02dT10:%02d:%02dZ stdout F GET /healthz 200 %dms \"kube-probe/1.33\"",
            "{\"level\":\"info\",\"ts\":%d.%d,\"logger\":\"controllers.ClusterPolicy\",\"msg\":\"Reconciliation %d completed in %d\"}",
            "[%8d.%06d] audit: type=1400 audit(171.%d:%d): apparmor=\"ALLOWED\" operation=\"open\" profile=\"x\"",
            "time=\"2026-03-%02dT10:%02d:%02dZ\" level=info msg=\"Detected running container %d\" module=containerd");

    private DoctorBench() {
    }

    public static void main(String[] args) throws Exception {
        int megabytes = args.length > 0 ? Integer.parseInt(args[0]) : 200;
        int pods = args.length > 1 ? Integer.parseInt(args[1]) : 5000;
        Path folder = Files.createTempDirectory("pitwall-doctor");
        try {
            logs(folder, megabytes);
            pods(folder.resolve("pods.json"), pods);
            long began = System.nanoTime();
            Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
                    "-XX:+UseSerialGC", "-jar", Path.of("target", "pitwall.jar").toString(), "doctor", "--evidence",
                    folder.toString(), "--json").redirectErrorStream(false)
                    .redirectError(ProcessBuilder.Redirect.INHERIT).start();
            String answer = new String(process.getInputStream().readAllBytes());
            int exit = process.waitFor();
            System.out.printf(Locale.ROOT, "doctor: %d MB of logs, %d pods, -Xmx256m: exit %d after %.1f s; names the cause: %s%n",
                    megabytes, pods, exit, (System.nanoTime() - began) / 1e9,
                    answer.contains("driver-library-version-mismatch"));
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
            }
        }
    }

    private static void logs(Path folder, int megabytes) throws IOException {
        Random random = new Random(7);
        for (int file = 0; file < 10; file++) {
            long left = megabytes * 100_000L;
            try (BufferedWriter out = Files.newBufferedWriter(folder.resolve("node-" + file + ".log"))) {
                boolean told = file != 6;
                while (left > 0) {
                    String line = String.format(Locale.ROOT, NOISE.get(random.nextInt(NOISE.size())), random.nextInt(28),
                            random.nextInt(60), random.nextInt(60), random.nextInt(100_000));
                    out.write(line);
                    out.write('\n');
                    left -= line.length() + 1;
                    if (!told && left < megabytes * 50_000L) {
                        out.write("[ 8123.004211] " + DECIDES + "\n");
                        told = true;
                    }
                }
            }
        }
    }

    private static void pods(Path file, int count) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
            for (int i = 0; i < count; i++) {
                out.write((i == 0 ? "" : ",") + pod(i));
            }
            out.write("]}");
        }
    }

    private static String pod(int number) {
        String environment = Stream.iterate(0, i -> i < 40, i -> i + 1)
                .map(i -> "{\"name\":\"VARIABLE_" + i + "\",\"value\":\"" + "v".repeat(60) + "\"}")
                .reduce((a, b) -> a + "," + b).orElse("");
        return "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"web-" + number + "\",\"namespace\":\"default\",\"uid\":\"u-"
                + number + "\",\"labels\":{\"app\":\"web\"}},\"spec\":{\"nodeName\":\"node-" + number % 200
                + "\",\"containers\":[{\"name\":\"web\",\"image\":\"nginx\",\"env\":[" + environment + "]}]},\"status\":{\"phase\":\"Running\","
                + "\"containerStatuses\":[{\"name\":\"web\",\"ready\":true,\"restartCount\":0,\"state\":{\"running\":{}}}]}}";
    }
}
