export function PrincipalPage() {
  return null
}
