package dev.pitwall.lab.kube.kubelet;

import dev.pitwall.lab.kube.api.LogSource;
import dev.pitwall.lab.world.LabNode;
import dev.pitwall.lab.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** NVIDIA's vectorAdd sample: it passes on a card with a driver that its CUDA can use. */
final class VectorAdd implements Program {
    private static final Duration RUNS = Duration.ofSeconds(2);
    private static final Pattern CUDA = Pattern.compile("cuda(\\d+)\\.");
    private static final String VERDICT = "verdict";

    private final World world;
    private final String tag;

    VectorAdd(World world, String tag) {
        this.world = world;
        this.tag = tag;
    }

    @Override
    public Doing look(Run run, Instant now) {
        String verdict = run.notes().computeIfAbsent(VERDICT, key -> verdict(run));
        Instant end = run.startedAt().plus(RUNS);
        return end.isAfter(now) ? new Doing.Goes(true, end) : new Doing.Ended(verdict.isEmpty() ? 0 : 1, "", end);
    }

    /** Empty if it passes. */
    private String verdict(Run run) {
        boolean all = run.environment("NVIDIA_VISIBLE_DEVICES").filter("all"::equals).isPresent();
        return world.read(w -> {
            LabNode node = w.nodes.get(run.node());
            boolean card = node != null && node.driver.equals("loaded") && (all || !run.devices().isEmpty())
                    && node.cards.stream().map(w.cards::get).anyMatch(each -> each != null && !each.lost);
            return !card ? "no CUDA-capable device is detected" : branch(node) < needed()
                    ? "CUDA driver version is insufficient for CUDA runtime version" : "";
        });
    }

    private static int branch(LabNode node) {
        Matcher number = Pattern.compile("^\\d{1,4}").matcher(node.driverVersion);
        return number.find() ? Integer.parseInt(number.group()) : 0;
    }

    /** Oldest driver branch for a CUDA major release. [CUDA minor version compatibility] */
    private int needed() {
        Matcher major = CUDA.matcher(tag);
        return switch (major.find() ? major.group(1) : "") {
            case "13" -> 580;
            case "12" -> 525;
            default -> 450;
        };
    }

    @Override
    public List<LogSource.Line> log(Run run, Instant until) {
        String verdict = run.notes().getOrDefault(VERDICT, "");
        List<String> texts = verdict.isEmpty() ? List.of("[Vector addition of 50000 elements]",
                "Copy input data from the host memory to the CUDA device",
                "CUDA kernel launch with 196 blocks of 256 threads",
                "Copy output data from the CUDA device to the host memory", "Test PASSED", "Done")
                : List.of("[Vector addition of 50000 elements]",
                "Failed to allocate device vector A (error code " + verdict + ")!");
        Instant end = run.startedAt().plus(RUNS);
        return texts.stream().map(text -> new LogSource.Line(text.startsWith("[") ? run.startedAt() : end, text))
                .filter(line -> !line.at().isAfter(until)).toList();
    }

    @Override
    public boolean followsWorld() {
        return false;
    }
}
