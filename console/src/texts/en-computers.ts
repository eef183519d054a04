export const enComputers = {
  title: 'Computers',
}
