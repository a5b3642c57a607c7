/** Pairs of opposites: see `find-opposites.ts`. */
export const IBERIAN = {
  es: `
    aument* subi* sube suben crec* increment*|bajó bajar* bajaron baja bajan disminuy* disminui* cay* caen caer caíd* reduj* reduc* descen*
    más|menos
    aprob* aprueb* acept* adopt* apoy*|rechaz* negó negaron niega*
    permit* autoriz*|prohib* impid* impedi*
    ganó ganar* ganan ganado ganancia*|perd* pierd* pérdida*
    compr* adqui*|vend* venta*
    comenz* comienz* empez* empiez* inici*|termin* acab* finaliz* cesó dejó dejaron
    abri* abre abren abiert*|cerr* cierr*
    éxito*|fracas*
    antes|después
    calient* cálid* calor|frí* fresc*
    mejor*|peor* empeor*
    buen*|malo mala malos malas
    fácil* sencill*|difícil* complicad*
    posible*|imposible*
    segur*|peligros* insegur*
    legal*|ilegal*
    verda*|fals*
    nació nacieron nacid*|muri* muert*
    barat*|caro cara caros caras
    fuert* fortal*|débil* debilit*
    rápid*|lent*
    grand* mayor*|pequeñ* menor*
    larg*|cort*
    viej* antigu*|nuev* jov*
    alt*|baj*
    sobre encima|bajo debajo
    apoy*|opus* opon* opuest*
    importaç* importado* importac*|export*
    positiv*|negativ*
    probable*|improbable*
    norte|sur
    este oriental*|oeste occidental*
    hombre* masculin*|mujer* femenin*
    rico ricos rica ricas|pobre*
    seco seca secos secas|húmed* mojad*
    públic*|privad*
    temprano|tarde
    primer*|últim*
    dentro interior*|fuera exterior*
    constru*|destru*
    much*|poc*
    guerra*|paz
    ventaja*|desventaja*
    mism* igual*|diferent* distint*
    confirm*|desmint* desmient*
    izquierd*|derech*
    recordar* recuerd*|olvid*`,
  pt: `
    aument* subi* sobe sobem cresc* increment*|diminu* caiu cair caem caíram baixou baixar* reduz* decresc*
    mais|menos
    aprov* aceit* adot*|rejeit* recus* negou negaram
    permit* autoriz*|proib* imped*
    ganh* venc*|perd*
    compr* adqui*|vend*
    começ* inici*|termin* acab* cessou deixou deixaram
    abri* abre abrem abert*|fech*
    sucesso* êxito|fracass*
    antes|depois após
    quent* calor|fri* fresc*
    melhor*|pior*
    bom boa bons boas|mau má maus más ruim
    fácil fáceis facilmente simples|difíc* complicad*
    possíve*|impossíve*
    segur*|perigos* insegur*
    legal legais|ilega*
    verdad*|fals*
    nasceu nascer* nascid*|morr* morto morta mortos
    barat*|caro cara caros caras
    fort* fortal*|frac* enfraquec*
    rápid*|lent*
    grand* maior*|pequen* menor*
    long*|curt*
    velh* antig*|nov* jove*
    alt*|baix*
    sobre acima|sob abaixo
    apoi*|opõ* opôs opos*
    importaç* importado* importac*|export*
    positiv*|negativ*
    prováv*|improváv*
    norte|sul
    leste oriental*|oeste ocidental*
    homem homens masculin*|mulher* feminin*
    rico ricos rica ricas|pobre*
    seco seca secos secas|úmid* húmid* molhad*
    públic*|privad*
    cedo|tarde
    primeir*|últim*
    dentro interior*|fora exterior*
    constru*|destru*
    muit*|pouc*
    guerra*|paz
    vantag*|desvantag*
    mesm* igua*|diferent*
    confirm*|desment*
    esquerd*|direit*
    lembr*|esquec*
    engoli*|cusp*`,
} satisfies Record<string, string>
