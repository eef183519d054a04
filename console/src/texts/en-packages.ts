export const enPackages = {
  title: 'Packages',
}
