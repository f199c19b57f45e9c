mv app/solutions/clinic-with-pharmacy _archive/app/solutions/
mv app/solutions/clinic-without-pharmacy _archive/app/solutions/
mv app/solutions/hospital-with-pharmacy _archive/app/solutions/
mv app/solutions/hospital-without-pharmacy _archive/app/solutions/