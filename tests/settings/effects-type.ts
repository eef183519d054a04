/**
 * Settings, each with the test that proves its effect, as `file: title`; files are relative to server/test or to the repository. The outer key
 * lists what has the settings: operations, manifests, or schemas within them. The inner key lists the settings, which all of
 * these have.
 */
export type Effects = Record<string, Record<string, string>>
