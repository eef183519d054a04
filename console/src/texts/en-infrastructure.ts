export const enInfrastructure = {
  title: 'Infrastructure',
}
