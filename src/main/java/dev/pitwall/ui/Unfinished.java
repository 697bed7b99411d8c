package dev.pitwall.ui;

import dev.pitwall.journey.RunRecord;
import dev.pitwall.ui.run.RunPlace;
import dev.pitwall.ui.run.SiteWork;
import dev.pitwall.ui.shell.Desk;
import dev.pitwall.ui.shell.OpenSite;
import dev.pitwall.ui.shell.OpenSites;
import dev.pitwall.ui.shell.Page;
import dev.pitwall.ui.words.Texts;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/** Says of a run that died where the person is when its site opens, once a run, and leads to where it is gone on with. */
final class Unfinished {

    private final Desk desk;
    private final Texts texts;
    private final OpenSites sites;
    private final Set<Long> told = new HashSet<>();
    private final Set<OpenSite> followed = Collections.newSetFromMap(new WeakHashMap<>());

    Unfinished(Desk desk, OpenSites sites) {
        this.desk = desk;
        this.texts = desk.texts();
        this.sites = sites;
    }

    /** Takes over what the site's journal says, now and as soon as it was read. */
    void follow(OpenSite site) {
        site.work().filter(_ -> followed.add(site)).ifPresent(work -> {
            work.runsProperty().addListener((_, _, runs) -> look(site, work, runs));
            look(site, work, work.runsProperty().get());
        });
    }

    private void look(OpenSite site, SiteWork work, List<RunRecord> runs) {
        if (work.runningProperty().get().isPresent()) {
            return;
        }
        runs.stream().filter(r -> r.state() == RunRecord.State.RUNNING && r.ended().isEmpty() && told.add(r.number()))
                .forEach(r -> desk.notices().stay(texts.get("unfinished.told", r.number(), r.host(), r.title()),
                        texts.get("unfinished.show"), () -> {
                            sites.open(site.site());
                            RunPlace.of(r).ifPresentOrElse(s -> desk.shell().go(Page.SETUP, s),
                                    () -> desk.shell().go(Page.JOURNAL));
                        }));
    }
}
