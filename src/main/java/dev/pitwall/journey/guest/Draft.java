package dev.pitwall.journey.guest;

import dev.pitwall.journey.Answer.Question;
import dev.pitwall.journey.change.Change;
import dev.pitwall.journey.change.MappingChange;
import dev.pitwall.journey.change.VmConfigChange;
import dev.pitwall.journey.survey.VmSurvey;
import dev.pitwall.read.PropertyText;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the attach step will say, while its parts put it together. */
final class Draft {
    private final VmSurvey vm;
    private final SortedMap<String, Optional<String>> after = new TreeMap<>();
    private final List<String> notes = new ArrayList<>();
    private final List<Question> questions = new ArrayList<>();
    private final Map<String, Set<String>> needs = new LinkedHashMap<>();
    private Optional<MappingChange> mapping = Optional.empty();
    private Optional<String> refusal = Optional.empty();

    Draft(VmSurvey vm) {
        this.vm = vm;
    }

    VmSurvey vm() {
        return vm;
    }

    Optional<String> now(String key) {
        return Optional.ofNullable(vm.config().get(key));
    }

    /** The value that a key will have. */
    Optional<String> then(String key) {
        return after.containsKey(key) ? after.get(key) : now(key);
    }

    /**
     * Sets a key, unless its value means the same already: texts are compared by what they say, not as they are
     * written.
     */
    void set(String key, PropertyText value, String defaultKey) {
        if (!now(key).map(text -> PropertyText.parse(text, defaultKey)).equals(Optional.of(value))) {
            after.put(key, Optional.of(value.text(defaultKey)));
        }
    }

    void remove(String key) {
        if (now(key).isPresent()) {
            after.put(key, Optional.empty());
        }
    }

    void map(MappingChange change) {
        mapping = Optional.of(change);
    }

    void note(String sentence) {
        notes.add(sentence);
    }

    void ask(Question question) {
        questions.add(question);
    }

    /** The caller needs a right for what is planned. */
    void need(String path, String right) {
        needs.computeIfAbsent(path, p -> new LinkedHashSet<>()).add(right);
    }

    /** The first refusal counts. */
    void refuse(String sentence) {
        refusal = refusal.or(() -> Optional.of(sentence));
    }

    Optional<String> refusal() {
        return refusal;
    }

    Collection<String> keys() {
        return after.keySet();
    }

    List<String> notes() {
        return List.copyOf(notes);
    }

    List<Question> questions() {
        return List.copyOf(questions);
    }

    Map<String, Set<String>> needs() {
        return needs;
    }

    /** The mapping first, since the VM will name it. */
    List<Change> changes(String summary) {
        List<Change> changes = new ArrayList<>(mapping.stream().toList());
        if (!after.isEmpty()) {
            SortedMap<String, Optional<String>> before = new TreeMap<>();
            after.keySet().forEach(key -> before.put(key, now(key)));
            changes.add(new VmConfigChange(vm.node(), vm.vmid(), before, after, summary));
        }
        return changes;
    }

    boolean empty() {
        return after.isEmpty() && mapping.isEmpty();
    }
}
