export const enRollouts = {
  title: 'Rollouts',
}
