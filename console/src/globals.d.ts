/** Version of these pages, which the build fills in. */
declare const __PAGES_VERSION__: string
