package dev.pitwall.doctor.live;

import dev.pitwall.card.TroubleException;
import dev.pitwall.doctor.evidence.Document;
import dev.pitwall.doctor.sign.Hint;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.Sign.About;
import dev.pitwall.journey.Machine;
import dev.pitwall.journey.Ran;
import dev.pitwall.journey.Systems;
import dev.pitwall.site.Together;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * A machine by its shell: each command that prints something is a document, named as a person would run it. What a
 * machine does not have prints nothing.
 */
final class MachinePart implements LiveEvidence.Part {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Systems systems;
    private final String name;
    private final About about;
    private final Looks.Role role;
    private final List<Looks.Look> looks;

    MachinePart(Systems systems, String name, About about, Looks.Role role, Looks looks) {
        this.systems = systems;
        this.name = name;
        this.about = about;
        this.role = role;
        this.looks = looks.of(role);
    }

    @Override
    public void gather(Gathered found) throws InterruptedException {
        found.trying(() -> {
            Machine machine = systems.machine(name);
            // A machine that is off is asked one thing only.
            machine.run("uname", "-r");
            found.add(new Document("shell of " + name, Hint.UNKNOWN, about, new Document.Told(List.of(
                    new Sign("has-shell", about, Map.of("role", role.name().toLowerCase(Locale.ROOT)), Optional.empty())))));
            Together.all(looks.stream().<Callable<Boolean>>map(look -> () -> {
                found.trying(() -> look(machine, look, found));
                return true;
            }).toList());
        });
    }

    private void look(Machine machine, Looks.Look look, Gathered found) throws TroubleException, InterruptedException {
        Ran ran = machine.run(look.run(), LIMIT, line -> { });
        List<String> asked = look.run();
        if (!ran.ok() && !look.instead().isEmpty()) {
            ran = machine.run(look.instead(), LIMIT, line -> { });
            asked = look.instead();
        }
        String printed = ran.ok() || !ran.output().isBlank() ? ran.output() : said(ran);
        if (!printed.isBlank()) {
            found.add(Document.text(String.join(" ", asked) + " on " + name, look.hint(), about, printed));
        }
    }

    /** What a program says when it fails is evidence; that there is no program or file is not. */
    private static String said(Ran ran) {
        return ran.notFound() || ran.errors().contains("No such file or directory") ? "" : ran.errors();
    }
}
