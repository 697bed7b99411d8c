package dev.pitwall.ui.notice;

import atlantafx.base.controls.Notification;
import dev.pitwall.card.Trouble;
import dev.pitwall.ui.UiThread;
import java.time.Duration;
import java.util.Optional;
import javafx.scene.control.Button;
import javafx.scene.layout.VBox;
import org.kordamp.ikonli.feather.Feather;
import org.kordamp.ikonli.javafx.FontIcon;

/** Short messages inside the window, at its lower right. They leave by themselves, unless the pointer is on them. */
public final class Notices {

    private static final Duration STAYS = Duration.ofSeconds(7);
    private static final int AT_ONCE = 3;

    private final VBox place;
    private final UiThread ui;

    /** @param place an empty box above the pages; clicks beside the messages go through it */
    public Notices(VBox place, UiThread ui) {
        this.place = place;
        this.ui = ui;
        place.setPickOnBounds(false);
    }

    /** Something is done or worth knowing. */
    public void tell(String message) {
        add(message, Feather.INFO, "accent", Optional.empty());
    }

    /** The same, with one thing the person can do about it. */
    public void tell(String message, String action, Runnable run) {
        Button button = new Button(action);
        button.getStyleClass().add("small-button");
        button.setOnAction(_ -> run.run());
        add(message, Feather.INFO, "accent", Optional.of(button));
    }

    /** Something could not be done. */
    public void trouble(Trouble trouble) {
        add(trouble.sentence() + "\n" + trouble.next(), Feather.X_OCTAGON, "danger", Optional.empty());
    }

    /** The same for what must not be missed: it stays until the person closes it or does it. */
    public void stay(String message, String action, Runnable run) {
        Button button = new Button(action);
        button.getStyleClass().add("small-button");
        Notification notice = make(message, Feather.ALERT_TRIANGLE, "warning", Optional.of(button));
        button.setOnAction(_ -> {
            place.getChildren().remove(notice);
            run.run();
        });
    }

    /**
     * The same for what may end by itself.
     *
     * @return takes it away, if it is still there
     */
    public Runnable alarm(String message, String action, Runnable run) {
        Button button = new Button(action);
        button.getStyleClass().add("small-button");
        Notification notice = make(message, Feather.X_OCTAGON, "danger", Optional.of(button));
        button.setOnAction(_ -> {
            place.getChildren().remove(notice);
            run.run();
        });
        return () -> place.getChildren().remove(notice);
    }

    private void add(String message, Feather icon, String look, Optional<Button> action) {
        leaveLater(make(message, icon, look, action));
    }

    private Notification make(String message, Feather icon, String look, Optional<Button> action) {
        Notification notice = new Notification(message, new FontIcon(icon));
        notice.getStyleClass().add(look);
        notice.setMaxWidth(400);
        action.ifPresent(notice::setPrimaryActions);
        notice.setOnClose(_ -> place.getChildren().remove(notice));
        place.getChildren().add(notice);
        if (place.getChildren().size() > AT_ONCE) {
            place.getChildren().removeFirst();
        }
        return notice;
    }

    private void leaveLater(Notification notice) {
        ui.after(STAYS, () -> {
            if (notice.isHover()) {
                leaveLater(notice);
            } else {
                place.getChildren().remove(notice);
            }
        });
    }
}
