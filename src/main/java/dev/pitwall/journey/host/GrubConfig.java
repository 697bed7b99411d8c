package dev.pitwall.journey.host;

import dev.pitwall.card.Sentences;
import dev.pitwall.journey.change.CommandChange;
import dev.pitwall.journey.change.Content;
import dev.pitwall.journey.change.FileChange;
import dev.pitwall.journey.survey.HostSurvey;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * {@code /etc/default/grub} and its folder of snippets. Options are added in a snippet of Pitwall's own; what stands in
 * another file is only taken out, since a snippet cannot do that.
 */
final class GrubConfig implements BootConfig {
    private static final String UPDATE = "update-grub";

    private final HostSurvey survey;
    private final WorkTimes times;
    private final Sentences texts;

    GrubConfig(HostSurvey survey, WorkTimes times, Sentences texts) {
        this.survey = survey;
        this.times = times;
        this.texts = texts;
    }

    @Override
    public List<String> words() {
        return GrubScript.words(scripts().values());
    }

    @Override
    public Rewrite rewrite(Function<String, Optional<String>> keep, List<KernelWord> add) {
        for (String variable : List.of(GrubScript.DEFAULT, GrubScript.ALWAYS)) {
            Map<String, Content> after = after(keep, add, variable);
            List<String> words = GrubScript.words(after.values());
            if (add.stream().allMatch(w -> w.in(words))
                    && words.stream().allMatch(w -> keep.apply(w).equals(Optional.of(w)))) {
                return new Rewrite.Possible(changes(after));
            }
        }
        return new Rewrite.Refused(texts.say("boot.grub.overridden", Paths.OWN_GRUB));
    }

    /** All scripts as they would be, own one included, in the order in which GRUB reads them. */
    private Map<String, Content> after(Function<String, Optional<String>> keep, List<KernelWord> add, String variable) {
        Map<String, Content> after = new TreeMap<>();
        scripts().forEach((path, content) -> after.put(path, edited(content, keep)));
        List<String> there = GrubScript.words(after.values());
        List<String> missing = add.stream().filter(w -> !w.in(there)).map(KernelWord::toString).toList();
        if (!missing.isEmpty()) {
            after.put(Paths.OWN_GRUB, Content.of(GrubScript.appending(
                    after.getOrDefault(Paths.OWN_GRUB, Content.ABSENT).text(), variable, missing)));
        }
        return after;
    }

    private static Content edited(Content content, Function<String, Optional<String>> keep) {
        String text = content.text();
        String edited = GrubScript.edit(text, keep);
        return edited.equals(text) ? content : Content.of(edited);
    }

    private List<FileChange> changes(Map<String, Content> after) {
        List<FileChange> changes = new ArrayList<>();
        after.forEach((path, content) -> {
            Content before = survey.file(path);
            if (!before.equals(content)) {
                changes.add(new FileChange(survey.host(), path, before, content,
                        Lines.summary(before, content, texts)));
            }
        });
        return changes;
    }

    /** The plain file comes first by its name too. */
    private Map<String, Content> scripts() {
        Map<String, Content> scripts = new TreeMap<>();
        survey.files().forEach((path, content) -> {
            if (!content.absent() && (path.equals(Paths.GRUB) || Paths.GRUB_SNIPPET.matcher(path).matches())) {
                scripts.put(path, content);
            }
        });
        return scripts;
    }

    @Override
    public CommandChange refresh() {
        return times.command(survey.host(), UPDATE, List.of(UPDATE), texts.say("boot.grub.refresh"));
    }
}
