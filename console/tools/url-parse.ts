/** In place of the package of this name, with which tus-js-client resolves addresses in old browsers. */
// biome-ignore lint/style/noDefaultExport: the package has one.
export default URL
