package dev.pitwall.lab.kube.control.storage;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pitwall.lab.kube.control.PodFacts;
import dev.pitwall.lab.kube.control.Pods;
import dev.pitwall.lab.kube.store.ObjectKey;
import dev.pitwall.lab.kube.store.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which pods use which volume claims. A pod's volumes never change, so each pod is read once. */
final class ClaimUsers {
    private final Map<ObjectKey, Set<ObjectKey>> pods = new HashMap<>();
    private final Map<ObjectKey, List<ObjectKey>> claims = new HashMap<>();

    /** A pod has come, changed or gone. @return its claims if something about their use may be different now */
    List<ObjectKey> note(Pods.News news) {
        ObjectKey key = news.last().key();
        if (news.now().isEmpty()) {
            List<ObjectKey> before = claims.getOrDefault(key, List.of());
            claims.remove(key);
            before.forEach(claim -> pods.computeIfPresent(claim, (c, users) -> {
                users.remove(key);
                return users.isEmpty() ? null : users;
            }));
            return before;
        }
        if (!claims.containsKey(key)) {
            List<ObjectKey> found = of(news.last());
            claims.put(key, found);
            found.forEach(claim -> pods.computeIfAbsent(claim, c -> new LinkedHashSet<>()).add(key));
            return found;
        }
        boolean bound = news.before().map(PodFacts::node).filter(news.last().node()::equals).isEmpty();
        return bound ? claims.get(key) : List.of();
    }

    private static List<ObjectKey> of(PodFacts pod) {
        List<ObjectKey> found = new ArrayList<>();
        for (JsonNode volume : pod.object().tree().at("/spec/volumes")) {
            String name = volume.at("/persistentVolumeClaim/claimName").asText("");
            if (!name.isEmpty()) {
                found.add(new ObjectKey(Resource.VOLUME_CLAIMS, pod.key().namespace(), name));
            }
        }
        return List.copyOf(found);
    }

    /** Pods that name a claim. */
    List<PodFacts> of(ObjectKey claim, Pods all) {
        return pods.getOrDefault(claim, Set.of()).stream().map(all::find).flatMap(Optional::stream).toList();
    }
}
