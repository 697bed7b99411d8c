package dev.pitwall.lab.kube.control.workload;

import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.workload.DaemonView.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The next step of a DaemonSet's rolling update: old pods go, as many at once as may be missing; or, with a surge, new
 * pods come beside them first. [kubernetes: pkg/controller/daemon/update.go]
 */
final class DaemonUpdate {
    private final DaemonView view;
    private final DaemonPlan.Leeway leeway;
    private final Set<String> nodes;
    private final DaemonSteps steps = new DaemonSteps();

    DaemonUpdate(DaemonView view) {
        this.view = view;
        this.leeway = view.plan().leeway(view.desired());
        this.nodes = new TreeSet<>(view.byNode().keySet());
        view.places().forEach((node, place) -> {
            if (place == DaemonTemplate.Place.WANTED) {
                nodes.add(node);
            }
        });
    }

    DaemonSteps steps() {
        if (leeway.surge() == 0) {
            replace();
        } else {
            surge();
        }
        return steps;
    }

    private void replace() {
        int missing = 0;
        List<PodFacts> candidates = new ArrayList<>();
        for (String node : nodes) {
            Optional<Pair> pair = view.pair(node);
            if (pair.isEmpty() || pair.get().isEmpty() || pair.get().isFull()) {
                missing++;
            } else if (pair.get().fresh().isPresent()) {
                missing += view.isAvailable(pair.get().fresh().get()) ? 0 : 1;
            } else {
                PodFacts old = pair.get().old().orElseThrow();
                // One that does not work is replaced whatever else is missing, and does not count as missing itself:
                // several updates in a row can take more pods away than may be missing. [kubernetes issue 123232]
                (view.isAvailable(old) ? candidates : steps.delete()).add(old);
            }
        }
        candidates.stream().limit(Math.max(0, leeway.unavailable() - missing)).forEach(steps.delete()::add);
    }

    private void surge() {
        int surging = 0;
        int available = 0;
        List<String> candidates = new ArrayList<>();
        List<PodFacts> leaving = new ArrayList<>();
        for (String node : nodes) {
            Optional<Pair> found = view.pair(node);
            if (found.isEmpty()) {
                surging++;
                continue;
            }
            Optional<PodFacts> old = found.get().old();
            Optional<PodFacts> fresh = found.get().fresh();
            boolean works = old.or(() -> fresh).filter(view::isAvailable).isPresent();
            available += works ? 1 : 0;
            if (old.isEmpty()) {
                continue;
            }
            if (fresh.isEmpty() && view.places().get(node) != DaemonTemplate.Place.WANTED) {
                (works ? leaving : steps.delete()).add(old.get());
            } else if (fresh.isEmpty()) {
                (works ? candidates : steps.create()).add(node);
            } else if (view.isAvailable(fresh.get())) {
                steps.delete().add(old.get());
            } else {
                surging++;
            }
        }
        candidates.stream().limit(Math.max(0, leeway.surge() - surging)).forEach(steps.create()::add);
        // Where no new pod may come the old one stays until another works in its place.
        leaving.stream().limit(Math.max(0, available - view.desired())).forEach(steps.delete()::add);
    }
}
