package dev.pitwall.doctor.likeness;

import com.google.re2j.Pattern;
import dev.pitwall.doctor.sign.Cited;
import dev.pitwall.doctor.sign.Complaint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The terms of a text that somebody shows, and how often each is there. A text that is too long for a report is not kept.
 * Not thread-safe.
 */
public final class ReportWords {
    /** In characters. What is longer is a log of its own or a whole cluster, and what it says most says nothing of the cause. */
    static final int LONGEST = 200_000;
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
        Terms.of(name.replace("--", " "), this::count);
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
        Terms.of(text, this::count);
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

    /** True if something in it sounds like trouble. */
    public boolean complains() {
        return trouble;
    }

    /** True if it is about cards, and about NVIDIA's as far as it says. */
    public boolean isAboutCards() {
        return nvidia || cards && !others;
    }

    /** The terms and how often each is there. */
    public Map<String, Integer> counts() {
        return Map.copyOf(counts);
    }

    List<Cited> lines() {
        return lines;
    }

    private void count(String word) {
        counts.merge(word, 1, Integer::sum);
    }
}
