export function EnrolmentTokensPage() {
  return null
}
