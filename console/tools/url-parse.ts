/** In place of the package of this name, with which tus-js-client resolves addresses in old browsers. */
export default URL
