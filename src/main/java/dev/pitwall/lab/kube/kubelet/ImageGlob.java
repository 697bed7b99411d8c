package dev.pitwall.lab.kube.kubelet;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.regex.Pattern;

/** Names of images or tags: {@code *} stands for anything but a slash, {@code **} for anything. */
final class ImageGlob {
    private final String text;
    private final Pattern pattern;

    @JsonCreator
    ImageGlob(String text) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            if (text.startsWith("**", i)) {
                all.append(".*");
                i++;
            } else if (text.charAt(i) == '*') {
                all.append("[^/]*");
            } else {
                all.append(Pattern.quote(text.substring(i, i + 1)));
            }
        }
        this.text = text;
        this.pattern = Pattern.compile(all.toString());
    }

    /** What stands before the first slash: of an image's name, its registry. */
    String head() {
        return text.substring(0, Math.max(0, text.indexOf('/')));
    }

    boolean fits(String name) {
        return pattern.matcher(name).matches();
    }
}
