package dev.pitwall.link.models;

import dev.pitwall.card.ServerReport;
import dev.pitwall.card.TroubleException;
import dev.pitwall.link.HopRun;
import dev.pitwall.link.HopRun.Found;
import dev.pitwall.link.http.HttpReader;
import dev.pitwall.link.trust.Words;

/** The last hops to a model server, once there is a way to its port. */
public final class ServerReach {
    private final Words words;

    public ServerReach(Words words) {
        this.words = words;
    }

    /** Announces the hops. */
    public void plan(HopRun run) {
        run.plan(words.text("hop.server"), words.text("hop.server.then"))
                .plan(words.text("hop.models"), words.text("hop.models.then"));
    }

    /** Goes the hops. */
    public void go(HopRun run, String name, HttpReader http) throws TroubleException, InterruptedException {
        ServerReport report = run.step(words.text("hop.server"), words.text("hop.server.now"), () -> {
            ServerReport read = new ModelServerProbe(name, http).read();
            return new Found<>(read, words.text("hop.server.ok", "software", read.software(),
                    "version", read.version().orElse("")).strip());
        });
        run.step(words.text("hop.models"), words.text("hop.models.now"), () -> new Found<>(true,
                words.text("hop.models.ok", "loaded", Integer.toString(report.loaded().size()),
                        "installed", Integer.toString(report.installed().size()))));
    }
}
