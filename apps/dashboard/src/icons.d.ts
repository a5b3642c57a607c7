/** The icons of Lucide, which `icons.ts` makes into components. */
declare module 'virtual:icons/*' {
  const Icon: ReturnType<typeof import('./ui/create-icon.tsx')['createIcon']>
  export default Icon
}
