package dev.pitwall.lab.kube.operator.program;

import dev.pitwall.lab.kube.kubelet.Doing;
import dev.pitwall.lab.kube.kubelet.ImageName;
import dev.pitwall.lab.kube.kubelet.Run;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** NVIDIA's CUDA sample: adds two vectors on a card and says whether that worked. */
final class VectorAdd extends ScriptedProgram {
    private static final Pattern CUDA = Pattern.compile("cuda(\\d+)\\.");
    private static final Pattern BRANCH = Pattern.compile("^\\d{1,4}");
    /** Oldest driver branch by CUDA's major release. [CUDA minor version compatibility] */
    private static final Map<String, Integer> OLDEST_BRANCHES = Map.of("11", 450, "12", 525, "13", 580);

    VectorAdd(Ground ground) {
        super(ground);
    }

    @Override
    String script(Run run) {
        return run.notes().containsKey("works") ? "vectorAdd" : "vectorAdd/failed";
    }

    @Override
    public Doing look(Run run, Instant now) {
        Optional<String> trouble = GpuAccess.trouble(ground, run)
                .or(() -> isOld(run) ? Optional.of(GpuAccess.INSUFFICIENT) : Optional.empty());
        if (trouble.isPresent() && !run.notes().containsKey("works")) {
            return fails(run, now, 1, List.of("Failed to allocate device vector A (error code " + trouble.get()
                    + ")!"));
        }
        run.notes().put("works", "true");
        Instant end = at(run, "vectorAdd");
        return now.isBefore(end) ? waits(end) : done(now);
    }

    /** True if the driver's branch is older than the first that runs the CUDA release its image was built with. */
    private boolean isOld(Run run) {
        Matcher driver = BRANCH.matcher(ground.machine(run).driver().version());
        Matcher cuda = CUDA.matcher(ImageName.of(run.container().path("image").asText()).tag());
        return driver.find() && cuda.find() && Integer.parseInt(driver.group())
                < OLDEST_BRANCHES.getOrDefault(cuda.group(1), 0);
    }
}
