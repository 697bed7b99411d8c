package dev.pitwall.ui.search;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;

/** Finds entries by what is typed: every word must occur, at best at the start of a word, at worst letter by letter. */
public final class SearchModel {

    /** More than these nobody reads; typing on is faster. */
    private static final int LISTED = 50;

    private static final int WHOLE = 0;
    private static final int START = 1;
    private static final int WORD_START = 2;
    private static final int INSIDE = 4;
    private static final int SCATTERED = 12;
    private static final int IN_DETAIL = 3;

    private final List<SearchEntry> entries;
    private final StringProperty query = new SimpleStringProperty("");
    private final ReadOnlyObjectWrapper<List<SearchEntry>> found = new ReadOnlyObjectWrapper<>(List.of());

    public SearchModel(List<SearchEntry> entries) {
        this.entries = List.copyOf(entries);
        query.addListener((_, _, text) -> found.set(find(text)));
        found.set(find(""));
    }

    public StringProperty queryProperty() {
        return query;
    }

    /** The best matches first. */
    public ReadOnlyObjectProperty<List<SearchEntry>> foundProperty() {
        return found.getReadOnlyProperty();
    }

    private record Hit(SearchEntry entry, int score) {
    }

    private List<SearchEntry> find(String text) {
        List<String> words = List.of(text.strip().toLowerCase(Locale.ROOT).split("\\s+"));
        return entries.stream()
                .flatMap(e -> score(e, words).stream().mapToObj(s -> new Hit(e, s)))
                .sorted(Comparator.comparingInt(Hit::score).thenComparing(h -> h.entry().kind()))
                .limit(LISTED).map(Hit::entry).toList();
    }

    /** Lower is better; empty if a word does not occur at all. */
    private static OptionalInt score(SearchEntry entry, List<String> words) {
        int sum = 0;
        for (String word : words) {
            OptionalInt title = match(entry.title().toLowerCase(Locale.ROOT), word);
            OptionalInt detail = match(entry.detail().toLowerCase(Locale.ROOT), word);
            if (title.isEmpty() && detail.isEmpty()) {
                return OptionalInt.empty();
            }
            sum += Math.min(title.orElse(Integer.MAX_VALUE), detail.isPresent()
                    ? detail.getAsInt() + IN_DETAIL : Integer.MAX_VALUE);
        }
        return OptionalInt.of(sum);
    }

    private static OptionalInt match(String text, String word) {
        int at = text.indexOf(word);
        if (text.equals(word) || word.isEmpty()) {
            return OptionalInt.of(WHOLE);
        }
        if (at == 0) {
            return OptionalInt.of(START);
        }
        if (at > 0) {
            return OptionalInt.of(Character.isLetterOrDigit(text.charAt(at - 1)) ? INSIDE : WORD_START);
        }
        return inOrder(text, word) ? OptionalInt.of(SCATTERED) : OptionalInt.empty();
    }

    private static boolean inOrder(String text, String word) {
        int from = 0;
        for (int i = 0; i < word.length(); i++) {
            from = text.indexOf(word.charAt(i), from) + 1;
            if (from == 0) {
                return false;
            }
        }
        return true;
    }
}
