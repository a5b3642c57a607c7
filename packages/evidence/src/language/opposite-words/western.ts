/** Pairs of opposites: see `find-opposites.ts`. */
export const WESTERN = {
  en: `
    rose rise rises rising risen increas* grow grows growing grew grown climb* soar* surg* rais* gain gains gained gaining higher doubled tripled|fall falls falling fell fallen decreas* declin* drop drops dropped dropping shrink* shrank reduc* lower lowers lowered lowering plung* plummet* cut cuts cutting slipp* slid tumbl* sank sinks halved
    approv* accept* adopt adopts adopted adopting endors* agreed supported backed welcomed|reject* refus* declin* denied disapprov* oppos* veto*
    wide wider widen*|narrow*
    cause caused causes causing|prevent*
    elect elects elected|defeat*
    summer summers|winter winters
    more|less fewer
    most|least fewest
    support supports supported supporting|oppos* resist*
    allow* permit* let lets|forbid* forbade ban bans banned banning prohibit* prevent* block blocks blocked blocking
    win wins winning won|lose loses losing lost
    buy buys buying bought purchas* acquir*|sell sells selling sold
    open opens opened opening|close closes closed closing shut shuts
    begin begins beginning began begun start starts started starting launch*|end ends ended ending stop stops stopped stopping finish* ceas*
    succeed* success*|fail fails failed failing failur* unsuccess*
    profit profits profitable|loss losses unprofitable
    before|after
    hot hotter hottest warm warmer warmest|cold colder coldest cool cooler coolest
    better best improv*|worse worst worsen* deteriorat*
    good|bad poor
    easy easier easiest easily simpl*|hard harder hardest difficult* complicat*
    possible|impossible
    safe safer safest safely|danger* unsafe
    legal legally|illegal* unlawful
    true|false untrue
    born|died dead
    cheap* inexpensive|expensive costl*
    strong* strengthen*|weak*
    fast faster fastest quick* rapid*|slow*
    large larger largest big bigger biggest huge|small smaller smallest tiny little
    long longer longest|short shorter shortest
    old older oldest|new newer newest young younger youngest
    high highest|low lowest
    above over exceed*|below under
    includ*|exclud*
    guilty|innocent
    love loves loved|hate hates hated
    import imports imported|export exports exported
    hire hires hired hiring|fire fires fired
    positive positively|negative negatively
    likely|unlikely
    north northern|south southern
    east eastern|west western
    arriv* enter enters entered|leav* left depart* exit*
    creat* build builds built|destroy* demolish*
    remember*|forget* forgot*
    men man male males boy boys|women woman female females girl girls
    rich richer richest wealthy|poor poorer poorest
    wet|dry
    public publicly|private privately
    push* repel*|pull* attract*
    agree agrees|disagree*
    confirm*|denied deny denies denying denial
    save saves saved saving|waste* wasting
    healthy healthier|sick ill unhealthy
    full|empty
    heav*|light lighter lightest
    deep deeper deepest|shallow*
    early earlier earliest|late later latest
    top|bottom
    first|last
    friend friends|enemy enemies
    victor*|defeat*
    expand* extend*|contract contracts contracted
    major|minor
    same identical|different
    inside|outside
    present|absent
    ancient|modern
    add adds added adding|remov* subtract*
    many|few
    secret secretly|openly
    war wars|peace
    happy happier|unhappy sad
    accelerat*|decelerat*
    advantag*|disadvantag*
    upgrad*|downgrad*
    optimis*|pessimis*
    majorit*|minorit*`,
  de: `
    stieg* steig* gestiegen wuchs* wachs* gewachsen erhöh* zunahm* zugenommen|fiel* fallen fällt gefallen sank* sink* gesunken schrumpf* verringer* reduzier* senk* gesenkt abnahm* abgenommen
    sommer*|winter*
    mehr|weniger
    genehmig* akzeptier* angenommen billig* zugestimmt stimmte stimmten|abgelehnt ablehn* lehnt* verweiger* zurückgewiesen
    erlaub* gestatte*|verbot* verbiet* untersag*
    gewann* gewinn* gewonnen|verlor* verlier*
    kauf* gekauft erwarb* erworben|verkauf*
    begann* beginn* begonnen start* anfing* angefangen fing fingen|endet* hörte hörten beend* aufhör* aufgehört
    öffne* geöffnet eröffne*|schloss* schließ* geschlossen
    erfolg*|scheiter* misserfolg* erfolglos*
    gewinn|verlust*
    heiß* warm*|kalt* kält* kühl*
    besser* beste* verbesser*|schlechter* schlechteste* verschlechter*
    gut gute guten guter gutes|schlecht*
    leicht* einfach*|schwer* schwierig*
    möglich|unmöglich
    sicher|gefährlich* unsicher*
    legal*|illegal*
    wahr|falsch
    geboren|gestorben starb*
    billig*|teuer* teure*
    stark* stärk*|schwach* schwäch*
    schnell*|langsam*
    groß* größ*|klein*
    lang lange langen langer längst* länger*|kurz* kürz*
    alt alte alten alter ältest* älter*|neu neue neuen neuer neues jung* jüng*
    hoch hohe hohen hoher höher* höchst*|niedrig* tief*
    oben über|unten unter
    unterstütz*|bekämpf*
    importier*|exportier*
    positiv*|negativ*
    wahrscheinlich|unwahrscheinlich
    nord* nördlich*|süd* südlich*
    ost osten östlich*|west westen westlich*
    männer männlich* mann|frauen weiblich* frau
    reich reiche reichen reicher|arm arme armen armer ärm*
    trocken*|nass feucht*
    öffentlich*|privat*
    früh* früher*|spät*
    erste ersten erster erstes|letzte letzten letzter letztes
    innerhalb innen|außerhalb außen
    baute* bauen gebaut|zerstör* abgerissen
    viele vielen|wenige wenigen
    krieg*|frieden*
    vorteil*|nachteil*
    gleich* |unterschiedlich* verschieden*
    anfang* |ende
    links|rechts
    bestätig*|bestritt* dementier* leugne*
    oft häufig*|selten`,
  fr: `
    augment* monte montent montait monté hausse croît croiss* grimp* progress*|baiss* diminu* chut* recul* rédui* tomb* décli*
    plus|moins
    approuv* accept* adopt* ratifi* validé* validée|rejet* refus*
    autoris* permet* permis*|interdi* empêch*
    gagn* remport*|perd* perte*
    achet* achat* acqui*|vend* vent*
    commenc* début* démarr*|termin* fini* arrêt* cess*
    ouvr* ouvert*|ferm*
    réuss* succès|échou* échec*
    avant|après
    chaud*|froid* frais
    meilleur* mieux amélior*|pire* pis aggrav* dégrad*
    bon bonne bons bonnes|mauvais*
    facile* facilement simple*|difficile* compliqu*
    possible|impossible
    sûr* sécurité|dangereu*
    légal*|illégal*
    vrai*|faux fausse*
    né née nés|mort*
    cher chère* coûteu*|bon marché abordable*
    fort forte forts fortes renforc*|faible* affaibl*
    rapide* vite|lent*
    grand* gros*|petit*
    long longue*|court*
    vieux vieille* ancien*|nouve* jeune* neuf neuve
    haut* élev*|bas basse*
    sur dessus|sous dessous
    soutien* souten* soutenu*|oppos* combat*
    importation* importé*|export*
    positi*|négati*
    probable*|improbable*
    nord|sud
    homme* masculin*|femme* féminin*
    riche*|pauvre*
    sec sèche*|humide* mouillé*
    publi*|privé*
    tôt|tard*
    premi*|derni*
    intérieur*|extérieur*
    constru*|détru*
    beaucoup|peu
    guerre*|paix
    avantage*|inconvénient*
    même* identique*|différent*
    souvent|rarement
    confirm*|démenti* nié
    gauche|droite`,
} satisfies Record<string, string>
