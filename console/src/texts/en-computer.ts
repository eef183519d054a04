export const enComputer = {
  title: 'Computer',
}
