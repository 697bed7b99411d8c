package dev.pitwall.doctor.picture.host;

import dev.pitwall.doctor.catalogue.SignRef;
import dev.pitwall.doctor.picture.Check;
import dev.pitwall.doctor.picture.Picture;
import dev.pitwall.doctor.picture.Picture.Seen;
import dev.pitwall.doctor.sign.Excerpt;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.SignBook;
import dev.pitwall.read.LoadedModules;

import java.util.Set;
import java.util.stream.Collectors;

/** Which of NVIDIA's modules a list of loaded modules has; on Talos, whether those that are asked for are among them. */
public final class LoadedDriver implements Check {
    private static final SignRef ASKED = SignRef.of("talos-modules-asked");

    @Override
    public void look(Picture picture, SignBook book) {
        for (Seen<LoadedModules> list : picture.outputs(LoadedModules.class)) {
            Set<String> names = list.what().modules().stream().map(LoadedModules.Module::name).collect(Collectors.toSet());
            boolean any = names.stream().anyMatch(name -> name.startsWith("nvidia"));
            if (names.contains("nvidia") && !names.contains("nvidia_uvm")) {
                new Remark("uvm-not-loaded", "nvidia is loaded and nvidia_uvm is not").in(book, list, list.shown("nvidia"));
            } else if (!any && names.size() > 1) {
                new Remark("nvidia-not-loaded", "no module of NVIDIA is loaded").in(book, list);
                if (book.has(ASKED)) {
                    Sign asked = book.find(ASKED).getFirst();
                    new Remark("talos-modules-missing", "the configuration asks for NVIDIA's modules, and none is loaded")
                            .in(book, list, asked.line().map(Excerpt::of).stream().toArray(Excerpt[]::new));
                }
            }
        }
    }
}
