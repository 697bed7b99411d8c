package dev.pitwall.lab.kube.seed;

import dev.pitwall.lab.data.DataFile;
import dev.pitwall.lab.world.World;
import java.time.Duration;
import java.time.Period;
import java.util.List;
import java.util.Map;

/**
 * {@code lab/kube/seeds/index.yaml}: what each sort of cluster starts with, and in which order.
 *
 * @param plans by name of a scene or of a distribution
 */
record SeedIndex(Map<String, Plan> plans) {

    /** @param values what is the same for all of its files */
    record Plan(Map<String, String> values, List<Stage> stages) {
    }

    /**
     * @param at        after the cluster's first moment
     * @param age       how much older than that first moment its objects are; absent means they are made at this stage
     * @param perServer files by kind of model server
     * @param definitions names of the definitions that come with the lab
     * @param forCards  it is part of what somebody has set up for the cards
     */
    record Stage(Duration at, Period age, boolean forCards, List<String> files, Map<String, List<String>> perServer,
                 List<String> perModel, String release, List<String> definitions) {
        Stage {
            files = files == null ? List.of() : files;
            perServer = perServer == null ? Map.of() : perServer;
            perModel = perModel == null ? List.of() : perModel;
            release = release == null ? "" : release;
            definitions = definitions == null ? List.of() : definitions;
        }
    }

    static SeedIndex load() {
        return DataFile.read("kube/seeds/index.yaml", SeedIndex.class);
    }

    /** The plan of a lab's scene, or else of its distribution; on a bare cluster without what is there for cards. */
    Plan plan(World world) {
        return world.read(w -> {
            Plan plan = plans.getOrDefault(w.scene, plans.get(w.kubernetes.distribution().word()));
            return w.kubernetes.hasOperator() ? plan : new Plan(plan.values(),
                    plan.stages().stream().filter(stage -> !stage.forCards()).toList());
        });
    }
}
