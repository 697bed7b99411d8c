package dev.pitwall.doctor.likeness;

import com.google.re2j.Pattern;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Complaint;
import dev.pitwall.doctor.sign.Sign;
import dev.pitwall.doctor.sign.SignBook;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The words of a text that somebody shows, how often each is there, and the signs that were read in it. Numbers are no
 * words: they differ from machine to machine. A text that is too long for a report is not kept. Not thread-safe.
 */
public final class ReportWords {
    /** In characters. What is longer is a log of its own or a whole cluster, and what it says most says nothing of the cause. */
    static final int LONGEST = 200_000;
    private static final int SHORTEST_WORD = 3;
    private static final Pattern NVIDIA = Pattern.compile("nvidia|nvml|nvrm|cuda|10de|nouveau|geforce|quadro|tesla|dcgm"
            + "|\\b[rg]tx\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern CARDS = Pattern.compile("\\bgpus?\\b|vfio|hostpci|passthrough|iommu|\\bmig\\b",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern OTHERS = Pattern.compile("amd\\.com|amdgpu|radeon|rocm|i915|intel\\.com/|habana|ascend|xpu",
            Pattern.CASE_INSENSITIVE);

    private final Map<String, Integer> counts = new HashMap<>();
    private final List<Cited> lines = new ArrayList<>();
    private long length;
    private boolean live;
    private boolean nvidia;
    private boolean cards;
    private boolean others;
    private boolean trouble;

    /** A document begins, whose name often says which command it is the output of. */
    public void title(String name) {
        words(name.replace("--", " "), this::count);
    }

    /** The next line of a document. */
    public void line(String document, long number, String text) {
        length += text.length() + 1;
        if (length > LONGEST) {
            counts.clear();
            lines.clear();
            return;
        }
        nvidia |= NVIDIA.matcher(text).find();
        cards |= CARDS.matcher(text).find();
        others |= OTHERS.matcher(text).find();
        trouble |= Complaint.isIn(text);
        lines.add(new Cited(document, number, text));
        words(text, this::count);
    }

    /** Something was read from a system itself, which is asked for all that the rules want to know. */
    public void live() {
        live = true;
    }

    /** True if more of it would change nothing. */
    public boolean isFull() {
        return live || length > LONGEST;
    }

    /** True if this is what somebody would show: a text of moderate length. */
    public boolean isReport() {
        return !live && length > 0 && length <= LONGEST;
    }

    /** True if something in it sounds like trouble, and it is about cards of NVIDIA as far as it says. */
    public boolean complainsOfNvidia() {
        return trouble && (nvidia || cards && !others);
    }

    /** The words and the signs with how often each is there. */
    public Map<String, Integer> counts(SignBook book) {
        Map<String, Integer> all = new HashMap<>(counts);
        Set<String> signs = new TreeSet<>();
        for (Sign sign : book.all()) {
            signs.add("=" + sign.id());
            if (!sign.about().component().isEmpty()) {
                signs.add("=" + sign.id() + "@" + sign.about().component());
            }
        }
        signs.forEach(sign -> all.put(sign, 1));
        return all;
    }

    List<Cited> lines() {
        return lines;
    }

    private void count(String word) {
        counts.merge(word, 1, Integer::sum);
    }

    /** Runs of letters that may have hyphens and underscores inside. */
    static void words(String text, Consumer<String> taker) {
        String lower = text.toLowerCase(Locale.ROOT);
        int at = 0;
        while (at < lower.length()) {
            if (!letter(lower.charAt(at))) {
                at++;
                continue;
            }
            int end = at;
            int last = at;
            while (end < lower.length() && (letter(lower.charAt(end)) || "-_".indexOf(lower.charAt(end)) >= 0)) {
                last = letter(lower.charAt(end)) ? end + 1 : last;
                end++;
            }
            if (last - at >= SHORTEST_WORD) {
                taker.accept(lower.substring(at, last));
            }
            at = end;
        }
    }

    private static boolean letter(char c) {
        return c >= 'a' && c <= 'z';
    }
}
