/** Version of the console, set by the build. */
declare const __PAGES_VERSION__: string
