package dev.pitwall.journey.guest;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.Answer;
import dev.pitwall.journey.Answer.Option;
import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.Answer.State;
import dev.pitwall.journey.Choices;
import dev.pitwall.journey.Situation;
import dev.pitwall.journey.change.VmCreation;
import dev.pitwall.journey.survey.DatacenterSurvey;
import dev.pitwall.journey.survey.DatacenterSurvey.Storage;
import dev.pitwall.journey.survey.HostSurvey.Guest;
import dev.pitwall.read.PropertyText;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A new VM for the card: a copy of a template, whose machine and firmware stay what the system in it was installed with, or
 * an empty one with the settings that a card wants, which boots from an ISO image.
 */
final class NewVm {
    private static final String FROM = "new-from";
    private static final String ISO = "new-iso";
    private static final String STORAGE = "new-storage";
    private static final String NAME = "new-name";
    private static final String BIOS = "new-bios";
    private static final String BRIDGE = "new-bridge";
    static final Set<String> KEYS = Set.of(FROM, ISO, STORAGE, NAME, BIOS, BRIDGE);

    private final Sentences texts;
    private final GuestSettings settings;

    NewVm(Sentences texts, GuestSettings settings) {
        this.texts = texts;
        this.settings = settings;
    }

    /** The VM that was made for these choices: known by its UUID, which follows from them. */
    static Optional<Guest> made(Situation s) {
        return s.host().guests().stream().filter(ChosenVm::isVm).filter(g -> Optional.ofNullable(g.config().get("smbios1"))
                .flatMap(PropertyText::smbiosUuid).filter(uuid(s)::equals).isPresent()).findFirst();
    }

    private static String uuid(Situation s) {
        String from = Stream.of(s.host().host(), s.card().slot().toString(), name(s), s.choices().get(FROM).orElse(""),
                s.choices().get(ISO).orElse("")).reduce("pitwall", (a, b) -> a + "\n" + b);
        return UUID.nameUUIDFromBytes(from.getBytes(StandardCharsets.UTF_8)).toString();
    }

    private static String name(Situation s) {
        return s.choices().get(NAME).orElseGet(() -> "gpu-" + s.host().host() + "-"
                + s.card().slot().toString().replaceFirst("^0000:", "").replace(':', '-'));
    }

    Answer look(Situation s) {
        Optional<DatacenterSurvey> datacenter = s.datacenter();
        if (datacenter.isEmpty() || datacenter.get().freeId().isEmpty()) {
            return Answer.of(State.UNKNOWN, texts.say("new.unread", s.host().host()), List.of());
        }
        List<Guest> templates = s.host().guests().stream().filter(g -> g.type().equals("qemu"))
                .filter(ChosenVm::isTemplate).toList();
        List<Storage> disks = datacenter.get().storages().stream().filter(d -> d.holds("images")).toList();
        List<Question> questions = questions(s, templates, disks);
        Answer answer = s.choices().get(FROM).isPresent() ? ofTemplate(s, templates, disks) : ofIso(s, disks);
        return answer.asking(questions.toArray(Question[]::new));
    }

    private Answer ofTemplate(Situation s, List<Guest> templates, List<Storage> disks) {
        OptionalInt from = s.choices().number(FROM);
        Optional<Guest> template = templates.stream().filter(t -> OptionalInt.of(t.id()).equals(from)).findFirst();
        if (template.isEmpty()) {
            return Answer.of(State.BLOCKED, texts.say("new.noTemplate", s.choices().get(FROM).orElse(""), s.host().host()), List.of());
        }
        Optional<String> storage = s.choices().get(STORAGE);
        if (storage.isPresent() && disks.stream().noneMatch(d -> d.id().equals(storage.get()))) {
            return noStorage(s, storage.get());
        }
        SortedMap<String, String> config = common(s);
        config.put("cpu", PropertyText.parse(template.get().config().getOrDefault("cpu", "host"), "cputype")
                .with("cputype", "host").text("cputype"));
        return creation(s, new VmCreation.Template(template.get().id(), storage), config, storage.stream().toList(),
                texts.say("new.ofTemplate", template.get().id(), template.get().name()))
                .noting(texts.say("new.templateKeeps", template.get().name()));
    }

    private Answer ofIso(Situation s, List<Storage> disks) {
        List<String> isos = isos(s);
        String iso = s.choices().get(ISO).orElse("");
        if (iso.isEmpty()) {
            return Answer.of(State.WAITING, texts.say("new.choose"), List.of());
        }
        if (!isos.contains(iso)) {
            return Answer.of(State.BLOCKED, texts.say("new.noIso", iso, s.host().host()), List.of());
        }
        Optional<String> storage = s.choices().get(STORAGE).or(() -> disks.stream().findFirst().map(Storage::id));
        if (storage.isEmpty() || disks.stream().noneMatch(d -> d.id().equals(storage.get()))) {
            return noStorage(s, storage.orElse("–"));
        }
        String firmware = s.choices().get(BIOS).orElse("ovmf");
        if (!List.of("ovmf", "seabios").contains(firmware)) {
            return Answer.of(State.BLOCKED, texts.say("attach.badChoice", BIOS, firmware, "ovmf, seabios"), List.of());
        }
        return creation(s, new VmCreation.Blank(), blank(s, iso, storage.get(), firmware), List.of(storage.get()),
                texts.say("new.ofIso", iso));
    }

    private Answer noStorage(Situation s, String storage) {
        return Answer.of(State.BLOCKED, texts.say("new.noStorage", storage, s.host().host()), List.of());
    }

    private SortedMap<String, String> common(Situation s) {
        SortedMap<String, String> config = new TreeMap<>();
        config.put("smbios1", "uuid=" + uuid(s));
        config.put("balloon", "0");
        return config;
    }

    private SortedMap<String, String> blank(Situation s, String iso, String storage, String firmware) {
        SortedMap<String, String> config = common(s);
        config.put("machine", "q35");
        config.put("bios", firmware);
        if (firmware.equals("ovmf")) {
            // With enrolled keys the guest runs Secure Boot, and unsigned NVIDIA modules fail (facts 1.9).
            config.put("efidisk0", storage + ":1,efitype=4m,pre-enrolled-keys=0");
        }
        config.put("cpu", "host");
        config.put("cores", number(s.choices(), "cores"));
        config.put("memory", number(s.choices(), "memory"));
        config.put("scsihw", "virtio-scsi-single");
        config.put("scsi0", storage + ":" + number(s.choices(), "disk") + ",discard=on,iothread=1");
        config.put("ide2", iso + ",media=cdrom");
        config.put("boot", "order=scsi0;ide2");
        config.put("net0", "virtio,bridge=" + s.choices().get(BRIDGE).orElse(settings.text("new.bridge")));
        config.put("agent", "1");
        config.put("serial0", "socket");
        config.put("vga", "std");
        config.put("ostype", "l26");
        config.put("onboot", "1");
        return config;
    }

    private String number(Choices choices, String what) {
        OptionalInt chosen = choices.number("new-" + what);
        return String.valueOf(chosen.isPresent() ? chosen.getAsInt() : settings.number("new." + what));
    }

    private Answer creation(Situation s, VmCreation.Origin origin, SortedMap<String, String> config, List<String> storages,
                            String summary) {
        if (!name(s).matches("[a-zA-Z0-9]([a-zA-Z0-9.-]{0,61}[a-zA-Z0-9])?")) {
            return Answer.of(State.BLOCKED, texts.say("new.badName", name(s)), List.of());
        }
        DatacenterSurvey datacenter = s.datacenter().orElseThrow();
        int vmid = datacenter.freeId().orElseThrow();
        List<String> missing = missing(datacenter, origin, vmid, storages);
        if (!missing.isEmpty()) {
            return Answer.of(State.BLOCKED, texts.say("rights.missing", datacenter.caller().user(), String.join(", ", missing)),
                    List.of());
        }
        return Answer.ready(texts.say("new.ready", vmid, name(s)), List.of(),
                List.of(new VmCreation(s.host().host(), vmid, name(s), origin, uuid(s), config, summary)));
    }

    private List<String> missing(DatacenterSurvey datacenter, VmCreation.Origin origin, int vmid, List<String> storages) {
        List<String> missing = new ArrayList<>();
        need(missing, datacenter, "/vms/" + vmid, "VM.Allocate");
        switch (origin) {
            case VmCreation.Template t -> need(missing, datacenter, "/vms/" + t.vmid(), "VM.Clone");
            case VmCreation.Blank b -> { }
        }
        storages.forEach(storage -> need(missing, datacenter, "/storage/" + storage, "Datastore.AllocateSpace"));
        return missing;
    }

    private void need(List<String> missing, DatacenterSurvey datacenter, String path, String right) {
        if (!datacenter.grants().holds(path, right)) {
            missing.add(texts.say("right.on", right, path));
        }
    }

    private static List<String> isos(Situation s) {
        return s.datacenter().stream().flatMap(d -> d.storages().stream()).flatMap(d -> d.isos().stream()).toList();
    }

    private List<Question> questions(Situation s, List<Guest> templates, List<Storage> disks) {
        List<Question> questions = new ArrayList<>();
        if (!templates.isEmpty()) {
            questions.add(new Question(FROM, texts.say("ask.from"), templates.stream()
                    .map(t -> new Option(String.valueOf(t.id()), t.id() + " " + t.name(), "")).toList(),
                    s.choices().get(FROM).orElse("")));
        }
        if (!isos(s).isEmpty()) {
            questions.add(new Question(ISO, texts.say("ask.iso"), isos(s).stream().map(iso -> new Option(iso, iso, "")).toList(),
                    s.choices().get(ISO).orElse("")));
        }
        if (!disks.isEmpty()) {
            questions.add(new Question(STORAGE, texts.say("ask.storage"), disks.stream()
                    .map(d -> new Option(d.id(), d.id(), texts.say("ask.storage.free", d.availableBytes() >> 30))).toList(),
                    s.choices().get(STORAGE).orElse("")));
        }
        return questions;
    }
}
