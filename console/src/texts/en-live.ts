export const enLive = {
  away: 'Live updates are not available at the moment. The page refreshes every 15 seconds.',
}
