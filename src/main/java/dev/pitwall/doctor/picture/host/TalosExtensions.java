package dev.pitwall.doctor.picture.host;

import dev.pitwall.doctor.catalogue.SignRef;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.SignBook;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether a Talos image has both NVIDIA extensions, of one tier, for the release that runs (facts: cluster.md 4.1). What the
 * node lists counts over what a schematic names.
 */
public final class TalosExtensions implements Check {
    private static final String TOOLKIT = "nvidia-container-toolkit";
    private static final Set<String> MODULES = Set.of("nvidia-open-gpu-kernel-modules", "nonfree-kmod-nvidia");

    @Override
    public void look(Picture picture, SignBook book) {
        List<Sign> named = book.find(SignRef.of("talos-extension"));
        List<Sign> listed = named.stream().filter(s -> s.values().containsKey("driver")).toList();
        List<Sign> lists = book.find(SignRef.of("talos-extensions-listed"));
        List<Sign> rows = listed.isEmpty() ? named : listed;
        if (rows.isEmpty()) {
            lists.stream().findFirst().ifPresent(s -> new Remark("talos-no-extension",
                    "extensions are listed, and none is NVIDIA's").beside(book, s));
            return;
        }
        List<Sign> modules = rows.stream().filter(s -> MODULES.contains(s.values().get("name"))).toList();
        List<Sign> toolkit = rows.stream().filter(s -> TOOLKIT.equals(s.values().get("name"))).toList();
        if (modules.isEmpty() != toolkit.isEmpty()) {
            new Remark("talos-extension-half", modules.isEmpty() ? "the toolkit's extension is there without kernel modules"
                    : "the kernel modules are there without the toolkit's extension")
                    .beside(book, rows.getFirst(), rows.toArray(Sign[]::new));
        } else if (!modules.isEmpty()) {
            tiers(modules, toolkit, book);
        }
        modules.forEach(module -> release(module, book));
    }

    private static void tiers(List<Sign> modules, List<Sign> toolkit, SignBook book) {
        for (String key : List.of("tier", "driver")) {
            Set<String> one = values(modules, key);
            Set<String> other = values(toolkit, key);
            if (!one.isEmpty() && !other.isEmpty() && one.stream().noneMatch(other::contains)) {
                new Remark("talos-extension-tiers", "modules are " + one + " and the toolkit is " + other)
                        .beside(book, modules.getFirst(), toolkit.getFirst());
                return;
            }
        }
    }

    private static void release(Sign module, SignBook book) {
        List<Sign> versions = book.find(SignRef.of("talos-version"));
        Set<String> running = values(versions, "version");
        String built = module.values().getOrDefault("other", "");
        if (!built.isEmpty() && !running.isEmpty() && !running.contains(built)) {
            new Remark("talos-extension-release", "the extension is for Talos " + built + ", and " + running + " runs",
                    Map.of("built", built)).beside(book, module, versions.getFirst());
        }
    }

    private static Set<String> values(List<Sign> signs, String key) {
        return signs.stream().map(s -> s.values().getOrDefault(key, "")).filter(v -> !v.isEmpty())
                .collect(Collectors.toSet());
    }
}
