package dev.pitwall.journey.host;

import dev.pitwall.card.PciFunction;
import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Found;
import dev.pitwall.journey.Found.Mark;
import dev.pitwall.journey.survey.HostSurvey;
import dev.pitwall.journey.survey.Showing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** What the binding step shows: who holds the card, who could, what is configured, and where the console is. */
final class BindRows {
    private final HostCard card;
    private final Binding binding;
    private final Framebuffer framebuffer;
    private final Devices devices;
    private final Sentences texts;
    private final HostEvidence evidence;

    BindRows(HostCard card, Binding binding, Framebuffer framebuffer, Devices devices, Sentences texts) {
        this.card = card;
        this.binding = binding;
        this.framebuffer = framebuffer;
        this.devices = devices;
        this.texts = texts;
        this.evidence = new HostEvidence(card.host());
    }

    List<Found> rows() {
        List<Found> rows = new ArrayList<>();
        rows.add(driver());
        rows.add(nextBoot());
        badLines(rows);
        strangers(rows);
        twins(rows);
        users(rows);
        rows.add(console());
        rows.addAll(framebuffer.rows(evidence));
        return rows;
    }

    private Found driver() {
        List<String> drivers = card.functions().stream().flatMap(f -> f.driver().stream()).distinct().toList();
        boolean mixed = card.functions().stream().anyMatch(f -> f.driver().isEmpty()) && !drivers.isEmpty();
        String value = drivers.isEmpty() ? texts.say("row.driver.none")
                : mixed ? texts.say("row.driver.some", texts.list(drivers)) : texts.list(drivers);
        return evidence.slot(texts.say("row.driver"), value, binding.held().isEmpty() ? Mark.OK : Mark.ATTENTION,
                card.slot(), line -> line.contains("Kernel driver in use"));
    }

    private Found nextBoot() {
        String name = texts.say("row.nextBoot");
        Optional<String> by = card.functions().stream().map(binding.now()::fate)
                .flatMap(fate -> fate.keptBy().stream()).findFirst();
        List<String> claims = binding.exposed().stream().map(binding.now()::fate)
                .flatMap(fate -> fate.claimedBy().stream()).distinct().toList();
        if (!claims.isEmpty()) {
            return evidence.slot(name, texts.say("row.nextBoot.claimed", texts.list(claims)), Mark.ATTENTION,
                    card.slot(),
                    line -> line.contains("Kernel modules"));
        }
        Predicate<String> decides = line -> line.contains("vfio-pci") || line.contains("vfio_pci");
        return by.map(path -> path.startsWith("/proc/")
                        ? evidence.row(name, texts.say("row.nextBoot.kept", path), Mark.OK, Showing.COMMAND_LINE,
                                decides)
                        : evidence.file(name, texts.say("row.nextBoot.kept", path), Mark.OK, path, decides))
                .orElseGet(() -> evidence.slot(name, texts.say("row.nextBoot.free"), Mark.OK, card.slot(),
                        line -> line.contains("Kernel modules")));
    }

    /** One broken line makes modprobe leave out what a person meant (facts: proxmox.md 2.3). */
    private void badLines(List<Found> rows) {
        binding.now().modprobe().badLines().stream().findFirst().ifPresent(bad -> rows.add(evidence.file(
                texts.say("row.badLine"), texts.count("row.badLine.value", binding.now().modprobe().badLines().size(),
                        bad.path(), bad.number()), Mark.ATTENTION, bad.path(),
                line -> line.strip().equals(bad.text()))));
    }

    /** Ids that take more than graphics cards from the host: bridges, disks and network cards among them. */
    private void strangers(List<Found> rows) {
        binding.now().ids().ifPresent(ids -> {
            List<String> ours = List.of(ids.value().toLowerCase(Locale.ROOT).split(","));
            List<String> taken = card.host().functions().stream()
                    .filter(f -> !f.vendorId().equals(Optional.of(PciFunction.NVIDIA)))
                    .filter(f -> f.vendorDevice().filter(ours::contains).isPresent())
                    .map(f -> devices.kind(f).word() + " " + f.address()).toList();
            if (!taken.isEmpty()) {
                rows.add(evidence.file(texts.say("row.strangers"), texts.list(taken), Mark.ATTENTION, ids.path(),
                        line -> line.contains("ids=")));
            }
        });
    }

    private void twins(List<Found> rows) {
        List<PciFunction> twins = binding.twins();
        if (!twins.isEmpty()) {
            rows.add(evidence.slot(texts.say("row.twins"), texts.say("row.twins.value",
                    texts.list(twins.stream().map(f -> f.address().toString()).toList())), Mark.ATTENTION,
                    twins.getFirst().address().slot(), line -> twins.stream()
                            .anyMatch(f -> f.vendorDevice().filter(line::contains).isPresent())));
        }
    }

    private void users(List<Found> rows) {
        CardUsers users = new CardUsers(card);
        List<HostSurvey.Guest> guests = new ArrayList<>(users.containers());
        guests.addAll(CardUsers.holders(card));
        if (!guests.isEmpty()) {
            boolean inTheWay = users.containers().stream().anyMatch(HostSurvey.Guest::running)
                    || !users.otherVms().isEmpty();
            rows.add(evidence.row(texts.say("row.users"), texts.list(guests.stream()
                            .map(g -> texts.say("row.users.guest", g.id(), g.name(), g.status())).toList()),
                    inTheWay ? Mark.BAD : Mark.INFO, users.containers().isEmpty() ? Showing.GUESTS
                            : Showing.CONTAINERS));
        }
        if (!users.driverModules().isEmpty()) {
            rows.add(evidence.row(texts.say("row.hostDriver"), texts.list(users.driverModules()), Mark.ATTENTION,
                    Showing.MODULES, line -> line.startsWith("nvidia")));
        }
    }

    private Found console() {
        boolean known = card.functions().stream().flatMap(f -> card.state(f).stream())
                .anyMatch(s -> s.bootVga().isPresent());
        boolean lost = BindStep.losesConsole(card);
        String key = card.bootDisplay() ? lost ? "row.console.only" : "row.console.here"
                : known ? "row.console.elsewhere" : "row.unread";
        return evidence.state(texts.say("row.console"), texts.say(key), lost ? Mark.BAD
                : card.bootDisplay() ? Mark.ATTENTION : known ? Mark.OK : Mark.UNKNOWN,
                card.functions().getFirst().address(), "boot_vga");
    }
}
