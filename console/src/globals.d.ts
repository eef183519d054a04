/** Version of the console, set by the build. */
declare const __PAGES_VERSION__: string

/** The guides that the installation serves, for the palette. Made by tools/help/plugin.ts. */
declare module 'virtual:guides' {
  export const guides: { address: string; title: string; sections: { id: string; title: string }[] }[]
}
