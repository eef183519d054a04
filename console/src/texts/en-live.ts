export const enLive = {
  away: 'Changes do not arrive by themselves at the moment. The page asks for them every 15 seconds.',
}
