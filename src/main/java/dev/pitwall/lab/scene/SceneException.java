package dev.pitwall.lab.scene;

/** A scene that cannot be used. The message names the place in the scene and what is wrong there. */
public final class SceneException extends Exception {
    private static final long serialVersionUID = 1L;

    public SceneException(String place, String what) {
        super(place + ": " + what);
    }
}
